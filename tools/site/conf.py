"""Sphinx: what the site is made of. Nothing on it is asked of another host."""

from __future__ import annotations

from numpydoc.xref import DEFAULT_LINKS

import runoff
from tools.site import reference

project, author, release, version = "runoff", "The runoff founders", runoff.__version__, runoff.__version__
project_copyright = "The runoff founders, MIT licence"
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "tools.site.linked"]
root_doc, language, default_role, nitpicky = "index", "en", "named", True
smartquotes = False  # "auto" is typed as it stands

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 4

autodoc_typehints = "none"
autodoc_class_signature = "separated"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"
DEFAULT_LINKS.clear()  # str, int, None: to pages of another host
numpydoc_xref_aliases = {name: path for name, path in reference.known_names().items() if name[0].isupper()}

html_theme, html_title = "furo", f"runoff {release}"
html_static_path, html_css_files, html_js_files = ["_static"], ["site.css"], ["site.js"]
html_extra_path = ["_extra"]  # llms.txt, which programs look for at the root
html_copy_source = html_show_sourcelink = html_show_sphinx = False
html_theme_options = {"navigation_with_keys": False}
