"""What is said about the answers.

headline      the answer in sentences: who leads, over whom, how sure, what next
ranks         what the ranks say
advice        advice by code, with whom it concerns
paragraph     the methods paragraph and its references
numbers       as many decimals as the interval bears
"""
