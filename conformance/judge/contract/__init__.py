"""E"""
from conformance.judge.contract.contract import Contract

