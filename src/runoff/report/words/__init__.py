"""What is said about the answers.

verdict       the answer in three sentences
ranks         what the ranks say
profiles      how the profiles of each pair lie
advice        advice by code, with whom it concerns
paragraph     the methods paragraph and its references
bibliography  the references
numbers       as many decimals as the interval bears
"""
