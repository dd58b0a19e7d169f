# Functions of known shares in pure Python: recursion, a loop, dictionaries, strings, a class. Argument: seconds of CPU
# time, asked for a few times a second.
import sys
import time


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def squares(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def words(n):
    counts = {}
    for i in range(n):
        word = "w" + str(i % 97)
        counts[word] = counts.get(word, 0) + 1
    return counts


class Account:
    def __init__(self):
        self.balance = 0

    def add(self, amount):
        self.balance += amount


def deposits(n):
    account = Account()
    for i in range(n):
        account.add(i)
    return account.balance


end = float(sys.argv[1])
while time.thread_time() < end:
    for _ in range(120):
        fibonacci(15)
        squares(6000)
        words(2000)
        deposits(4000)
