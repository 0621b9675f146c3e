"""Which definitions a function reaches."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeAlias

from tools.weight.modules import Function, Import, Module, Node, imports_of, resolved

Graph: TypeAlias = dict[Node, set[Node]]
Scope: TypeAlias = dict[str, Import | None]
"""What the names of a function stand for: an import, or (None) something of its own."""
FILLS = frozenset(["append", "add", "extend", "update", "setdefault", "insert", "appendleft", "register", "set"])
"""Methods by which a module puts something into another's list, table or generic function."""
COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class References(ast.NodeVisitor):
    """Collects the definitions and modules that a piece of code names."""

    def __init__(self, modules: Mapping[str, Module], module: Module, scopes: Iterable[Scope] = ()) -> None:
        self.modules, self.module, self.scopes = modules, module, list(scopes)
        self.nodes: set[Node] = set()
        self.values: set[str] = set()

    def target(self, code: ast.expr) -> Node | str | None:
        """Return what a name, or a name with attributes, stands for."""
        if isinstance(code, ast.Name):
            for scope in reversed(self.scopes):
                if code.id in scope:
                    bound = scope[code.id]
                    return resolved(self.modules, bound) if bound else None
            return resolved(self.modules, Import(self.module.name, code.id)) if self._has(code.id) else None
        if isinstance(code, ast.Attribute):
            base = self.target(code.value)
            return resolved(self.modules, Import(base, code.attr)) if isinstance(base, str) else base
        return None

    def _has(self, name: str) -> bool:
        return name in self.module.definitions or name in self.module.imports

    def _note(self, code: ast.expr) -> bool:
        target = self.target(code)
        if isinstance(target, Node):
            self.nodes.add(target)
        elif target:
            self.values.add(target)
        return target is not None

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._note(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if not self._note(node):
            # `package.__name__`: what the module lacks is asked of the module itself.
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """A text in the place of a type is read by `_annotation` alone."""

    def _annotation(self, node: ast.expr | None) -> None:
        if node is None:
            return
        for text in quoted(node):
            self.visit(ast.parse(text, mode="eval").body)
        self.visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        self._annotation(node.annotation)
        if node.value:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called == "import_module" and node.args and isinstance(node.args[0], ast.Constant):
            name = str(node.args[0].value)
            self.values |= {name} & set(self.modules)
        if called == "cast" and node.args:
            self._annotation(node.args[0])
        self.generic_visit(node)

    def _visit_function(self, node: Function | ast.Lambda) -> None:
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        arguments += [argument for argument in (node.args.vararg, node.args.kwarg) if argument]
        for default in (*node.args.defaults, *(default for default in node.args.kw_defaults if default)):
            self.visit(default)
        for argument in arguments:
            self._annotation(argument.annotation)
        scope: Scope = dict.fromkeys(argument.arg for argument in arguments)
        if isinstance(node, ast.Lambda):
            body: list[ast.AST] = [node.body]
        else:
            for decorator in node.decorator_list:
                self.visit(decorator)
            self._annotation(node.returns)
            body = list(node.body)
        self._inside(scope | own_names(body, self.module.package), body)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _visit_function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        # Names of a class are not seen by its methods, so its body has no scope of its own.
        self.generic_visit(node)

    def _visit_comprehension(self, node: COMPREHENSION) -> None:
        targets = [name for part in node.generators for name in ast.walk(part.target) if isinstance(name, ast.Name)]
        self._inside(dict.fromkeys(name.id for name in targets), list(ast.iter_child_nodes(node)))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def _inside(self, scope: Scope, body: Iterable[ast.AST]) -> None:
        self.scopes.append(scope)
        for part in body:
            self.visit(part)
        self.scopes.pop()


def quoted(annotation: ast.AST) -> Iterator[str]:
    """Yield the types of an annotation that stand in quotes; a text of Literal or Annotated is none."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value).endswith(("Literal", "Annotated")):
        return
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        yield annotation.value
    for part in ast.iter_child_nodes(annotation):
        yield from quoted(part)


def own_names(body: Iterable[ast.AST], package: str) -> Scope:
    """Return the names that the body of a function binds itself, without those of functions and comprehensions in it."""
    scope: Scope = {}
    everywhere: set[str] = set()
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            scope |= imports_of(node, package)
        elif isinstance(node, Function | ast.ClassDef):
            scope[node.name] = None
            continue
        elif isinstance(node, ast.Lambda | COMPREHENSION):
            continue
        elif isinstance(node, ast.Global):
            everywhere.update(node.names)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            scope.setdefault(node.id, None)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            scope[node.name] = None
        waiting.extend(ast.iter_child_nodes(node))
    return {name: bound for name, bound in scope.items() if name not in everywhere}


def graph_of(modules: Mapping[str, Module]) -> Graph:
    """Return what each definition names itself, ports filled."""
    graph: Graph = defaultdict(set)
    setters = _setters(modules)
    for module in modules.values():
        for name, statements in [*module.definitions.items(), ("", module.loose)]:
            node = Node(module.name, name)
            code = Fillings(modules, module, node, setters)
            for statement in statements:
                code.read(statement)
            graph[node] |= code.nodes - {node}
            for value in code.values:
                graph[node] |= names_in(modules, value)
            for port, contents in code.pairs:
                graph[port] |= contents - {port}
    return graph


def names_in(modules: Mapping[str, Module], name: str) -> set[Node]:
    """Return all that a module offers: its definitions, and those that its face lists."""
    module = modules[name]
    listed = {target for bound in module.imports.values() if isinstance(target := resolved(modules, bound), Node)}
    own = {Node(name, definition) for definition in module.definitions}
    return own | listed if module.path.stem == "__init__" else own


class Fillings(References):
    """Collects what the code of a definition names, and what it puts into ports."""

    def __init__(self, modules: Mapping[str, Module], module: Module, home: Node, setters: Graph) -> None:
        super().__init__(modules, module)
        self.home, self.setters = home, setters
        self.pairs: list[tuple[Node, set[Node]]] = []

    def read(self, statement: ast.stmt) -> None:
        """Read a top-level statement."""
        for decorator in getattr(statement, "decorator_list", []):
            # What a decorator stores is the definition below it.
            self.pairs += [(port, {self.home}) for port in self._ports(decorator, whatever=True)]
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            # Nobody has the answer of this call: it is there for what it changes.
            self._call(statement.value, whatever=True)
        self.visit(statement)

    def _ports(self, code: ast.expr, *, whatever: bool) -> set[Node]:
        """Return the ports that a call of `code` fills; whatever: by a method of any name."""
        code = code.func if isinstance(code, ast.Call) else code
        if isinstance(code, ast.Attribute) and (whatever or code.attr in FILLS):
            port = self.target(code.value)
            if isinstance(port, Node):
                return {port}
        target = self.target(code)
        return self.setters.get(target, set()) if isinstance(target, Node) else set()

    def _call(self, node: ast.Call, *, whatever: bool) -> None:
        for port in self._ports(node, whatever=whatever):
            self._fill(port, [*node.args, *(keyword.value for keyword in node.keywords)])

    def visit_Call(self, node: ast.Call) -> None:
        self._call(node, whatever=False)
        super().visit_Call(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        port = self.target(node.target)
        if isinstance(port, Node):
            self._fill(port, [node.value])
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            port = self.target(target.value) if isinstance(target, ast.Subscript) else None
            if isinstance(target, ast.Attribute):
                port = self.target(target)
            if isinstance(port, Node):
                self._fill(port, [node.value])
        self.generic_visit(node)

    def _fill(self, port: Node, values: Iterable[ast.expr]) -> None:
        """Note the definitions that are put in; what a function made itself stands for the function."""
        inner = References(self.modules, self.module, self.scopes)
        for value in values:
            inner.visit(value)
            names = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
            if any(
                name in scope and scope[name] is None for scope in self.scopes for name in names & self._functions()
            ):
                inner.nodes.add(self.home)
        self.pairs.append((port, inner.nodes))

    def _functions(self) -> set[str]:
        statements = self.modules[self.home.module].definitions.get(self.home.name, [])
        return {
            part.name
            for code in statements
            for part in ast.walk(code)
            if isinstance(part, Function) and part is not code
        }


def _setters(modules: Mapping[str, Module]) -> Graph:
    """Return the functions that store one of their arguments in a table, list or name of a module, with these ports."""
    setters: Graph = {}
    returned: Graph = {}
    for module in modules.values():
        for name, statements in module.definitions.items():
            for function in statements:
                if isinstance(function, Function):
                    ports, calls = _stored(modules, module, function)
                    setters[Node(module.name, name)], returned[Node(module.name, name)] = ports, calls
    for _ in range(3):  # a setter may return what another setter returns
        for node, calls in returned.items():
            setters[node] |= {port for call in calls for port in setters.get(call, ())}
    return {node: ports for node, ports in setters.items() if ports}


def _stored(modules: Mapping[str, Module], module: Module, function: Function) -> tuple[set[Node], set[Node]]:
    """Return the ports into which a function stores an argument of its own or of a function in it; the functions whose answer it returns."""
    parts = list(ast.walk(function))
    arguments = {part.arg for part in parts if isinstance(part, ast.arg)}
    everywhere = {name for part in parts if isinstance(part, ast.Global) for name in part.names}
    scope: Scope = dict.fromkeys(arguments - everywhere)
    references = References(modules, module, [scope | own_names(function.body, module.package)])
    ports, calls = set(), set()
    for part in parts:
        if isinstance(part, ast.Return) and isinstance(part.value, ast.Call):
            calls.add(references.target(part.value.func))
        for place, values in _stores(part, everywhere):
            names = {name.id for value in values for name in ast.walk(value) if isinstance(name, ast.Name)}
            if names & arguments:
                ports.add(references.target(place))
    return {port for port in ports if isinstance(port, Node)}, {call for call in calls if isinstance(call, Node)}


def _stores(part: ast.AST, everywhere: Collection[str]) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
    """Yield the table, list or global name into which a statement stores, with what it stores."""
    if isinstance(part, ast.Assign):
        for target in part.targets:
            if isinstance(target, ast.Subscript):
                yield target.value, [part.value]
            elif isinstance(target, ast.Name) and target.id in everywhere:
                yield target, [part.value]
    elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in FILLS:
        yield part.func.value, part.args


def reached(graph: Graph, start: Node, cut: Collection[str] = ()) -> set[Node]:
    """Return the definitions that one reaches, itself included; none of a module whose name begins with one of `cut`."""
    rooms = tuple(cut)

    def is_cut(module: str) -> bool:
        return any(module == room or module.startswith(f"{room}.") for room in rooms)

    nodes: set[Node] = set()
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node in nodes or (node != start and is_cut(node.module)):
            continue
        nodes.add(node)
        waiting += [*graph.get(node, ()), Node(node.module, "")]
    return nodes


def public_functions(modules: Mapping[str, Module], package: str) -> dict[str, Node]:
    """Return the functions that the face of the package lists, by their public name."""
    targets = {name: resolved(modules, bound) for name, bound in modules[package].imports.items()}
    nodes = {name: target for name, target in targets.items() if isinstance(target, Node)}
    return {
        name: node
        for name, node in nodes.items()
        if any(isinstance(statement, Function) for statement in modules[node.module].definitions[node.name])
    }
