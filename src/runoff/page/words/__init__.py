"""What is said about the answers.

headline   the answer in sentences: who leads, over whom, how sure, what next
more_runs  how many runs would find how small a difference: the slider of the page
advice     advice by code, with whom it concerns
paragraph  the methods paragraph, and the references that it cites
terms      the terms of the page, explained
"""
