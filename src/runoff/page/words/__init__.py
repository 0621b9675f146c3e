"""The sentences about the answers.

headline   the answer in sentences: the leader, over which algorithms, how sure, and what next
more_runs  how many runs would find how small a difference: the slider of the page
advice     advice by code, with the algorithms that it concerns
paragraph  the methods paragraph, and the references that it cites
terms      the terms of the page, explained
"""
