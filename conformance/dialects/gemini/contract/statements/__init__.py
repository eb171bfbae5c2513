from conformance.judge.contract.statement import Statement
STATEMENTS: dict[str, Statement] = {}
