"""A Converse reply, an event of a stream and an error, field by field."""

from __future__ import annotations

from conformance.contract.nodes import Field, Object
from conformance.contract.notation import *
from conformance.dialects.bedrock_converse.contract.content import *
from conformance.dialects.bedrock_converse.reply import STOPS
from conformance.model.finding import Severity

_NEW = cite(
    "BRC-R-001", Severity.WARNING, because="Amazon adds members to unions; SDKs skip those that they do not know"
)
_MEDIA = cite("BRC-R-003")
_BLOCK = union(_NEW, blocks(_MEDIA, _MEDIA, cite("BRC-R-007"), _MEDIA))
_STOP = {"stopReason": need(known(*STOPS), cite("BRC-R-004"))}
_USAGE = obj(
    cite("BRC-R-005"),
    inputTokens=need(COUNT),
    outputTokens=need(COUNT),
    totalTokens=need(COUNT, unless=when(path="/invoke-with-response-stream/?$")),
    cacheReadInputTokens=may(COUNT),
    cacheWriteInputTokens=may(COUNT),
    cacheDetails=may(array(obj(ttl=need(words("5m 1h")), inputTokens=need(COUNT)))),
)
_METRICS = obj(cite("BRC-R-006"), latencyMs=need(integer(), unless=INVOKED))
_FOUND = {"detected": may(boolean)}
_BLOCKED = words("BLOCKED NONE")
_MASKED = words("ANONYMIZED BLOCKED NONE")
_PII = (
    "ADDRESS AGE AWS_ACCESS_KEY AWS_SECRET_KEY CA_HEALTH_NUMBER CA_SOCIAL_INSURANCE_NUMBER CREDIT_DEBIT_CARD_CVV "
    "CREDIT_DEBIT_CARD_EXPIRY CREDIT_DEBIT_CARD_NUMBER DRIVER_ID EMAIL INTERNATIONAL_BANK_ACCOUNT_NUMBER IP_ADDRESS "
    "LICENSE_PLATE MAC_ADDRESS NAME PASSWORD PHONE PIN SWIFT_CODE UK_NATIONAL_HEALTH_SERVICE_NUMBER "
    "UK_NATIONAL_INSURANCE_NUMBER UK_UNIQUE_TAXPAYER_REFERENCE_NUMBER URL USERNAME US_BANK_ACCOUNT_NUMBER "
    "US_BANK_ROUTING_NUMBER US_INDIVIDUAL_TAX_IDENTIFICATION_NUMBER US_PASSPORT_NUMBER US_SOCIAL_SECURITY_NUMBER "
    "VEHICLE_IDENTIFICATION_NUMBER"
)
_LEVEL = words("NONE LOW MEDIUM HIGH")
_MATCH = need(text())
_UNIT = integer()


def _found(**rows: Field) -> Object:
    return obj(_FOUND, rows)


def _list(**rows: Field) -> Field:
    """A list of the service model that is required, but left out where it is empty (4 recorded)."""
    return may(array(_found(**rows)))


_COVERED = may(obj(guarded=may(_UNIT), total=may(_UNIT)))
_UNITS = ("topicPolicy", "contentPolicy", "wordPolicy", "sensitiveInformationPolicy", "contextualGroundingPolicy")
_CONTENT_POLICY = obj(
    filters=_list(
        type=need(known("INSULTS", "HATE", "SEXUAL", "VIOLENCE", "MISCONDUCT", "PROMPT_ATTACK")),
        confidence=need(_LEVEL),
        filterStrength=may(_LEVEL),
        action=need(_BLOCKED),
    )
)
_WORD_POLICY = obj(
    customWords=_list(match=_MATCH, action=need(_BLOCKED)),
    managedWordLists=_list(match=_MATCH, type=need(known("PROFANITY")), action=need(_BLOCKED)),
)
_SENSITIVE_INFORMATION_POLICY = obj(
    piiEntities=_list(match=_MATCH, type=need(known(*_PII.split())), action=need(_MASKED)),
    regexes=_list(name=may(text()), match=may(text()), regex=may(text()), action=need(_MASKED)),
)
_CONTEXTUAL_GROUNDING_POLICY = obj(
    filters=may(
        array(
            _found(
                type=need(known("GROUNDING", "RELEVANCE")),
                threshold=need(number(0, 1)),
                score=need(number(0, 1)),
                action=need(_BLOCKED),
            )
        )
    )
)
_UNITS_USED = obj(
    {f"{name}Units": need(_UNIT) for name in _UNITS},
    sensitiveInformationPolicyFreeUnits=need(_UNIT),
    **{
        name: may(_UNIT)
        for name in (
            "contentPolicyImageUnits",
            "automatedReasoningPolicyUnits",
            "automatedReasoningPolicies",
        )
    },
)
_INVOCATION_METRICS = obj(
    guardrailProcessingLatency=may(_UNIT),
    usage=may(_UNITS_USED),
    guardrailCoverage=may(obj(textCharacters=_COVERED, images=_COVERED)),
)
_APPLIED_GUARDRAIL_DETAILS = obj(
    guardrailId=may(text(0, 2048, "[a-z0-9]+")),
    guardrailVersion=may(text(pattern=VERSION)),
    guardrailArn=may(text(0, 2048, GUARDRAIL)),
    guardrailOrigin=may(array(known("REQUEST", "ACCOUNT_ENFORCED", "ORGANIZATION_ENFORCED"))),
    guardrailOwnership=may(known("SELF", "CROSS_ACCOUNT")),
)
_ASSESSMENT = obj(
    topicPolicy=may(obj(topics=_list(name=need(text()), type=need(known("DENY")), action=need(_BLOCKED)))),
    contentPolicy=may(_CONTENT_POLICY),
    wordPolicy=may(_WORD_POLICY),
    sensitiveInformationPolicy=may(_SENSITIVE_INFORMATION_POLICY),
    contextualGroundingPolicy=may(_CONTEXTUAL_GROUNDING_POLICY),
    automatedReasoningPolicy=may(obj(findings=may(array(mapping())))),
    invocationMetrics=may(_INVOCATION_METRICS),
    appliedGuardrailDetails=may(_APPLIED_GUARDRAIL_DETAILS),
)
_GUARDRAIL = obj(
    modelOutput=may(array(text())),
    inputAssessment=may(mapping(_ASSESSMENT)),
    outputAssessments=may(mapping(array(_ASSESSMENT))),
    actionReason=may(text()),
)
_TRACE = obj(cite("BRC-R-008"), guardrail=may(_GUARDRAIL), promptRouter=may(obj(invokedModelId=may(text()))))
_SERVED = {
    "trace": may(_TRACE),
    "performanceConfig": may(obj(latency=may(known("standard", "optimized"))), cite("BRC-R-011")),
    "serviceTier": may(obj(type=need(known("priority", "default", "flex", "reserved"))), cite("BRC-R-011")),
}

REPLY = obj(
    _STOP,
    _SERVED,
    output=need(obj(message=need(message(word("assistant"), _BLOCK, cite("BRC-R-002"))))),
    usage=need(_USAGE, missing=cite("BRC-R-005")),
    metrics=need(_METRICS, unless=INVOKED, missing=cite("BRC-R-006")),
    additionalModelResponseFields=may(anything),
)

# Streams ----------------------------------------------------------------------------------------------------------

_DELTA = cite("BRC-S-008")
_OTHER = cite("BRC-S-006", Severity.WARNING, because="Amazon adds events; SDKs skip those that they do not know")
_INDEX = {"contentBlockIndex": need(integer(0), cite("BRC-S-004"))}
_START = obj(
    one_of("toolUse", "toolResult", "image", cite=_NEW),
    toolUse=may(obj(toolUseId=need(ID), name=need(NAME), type=may(known("server_tool_use", "tool_use")))),
    toolResult=may(obj(toolUseId=need(ID), type=may(text()), status=may(word("success", "error")))),
    image=may(obj(format=need(words("png jpeg gif webp")))),
)
_THOUGHT = union(_DELTA, {"text": text(), "redactedContent": text(), "signature": text(1)})
_DELTAS = union(
    _DELTA,
    {
        "text": text(),
        "toolUse": obj(_DELTA, input=need(text())),
        "toolResult": array(union(_DELTA, {"text": text(), "json": anything})),
        "reasoningContent": _THOUGHT,
        "citation": CITATION,
        "image": mapping(),
    },
)
EXCEPTIONS = (
    "internalServerException",
    "modelStreamErrorException",
    "validationException",
    "throttlingException",
    "serviceUnavailableException",
)
_RAISED = obj(message=should(text(1)))
_OF_MODEL = obj(_RAISED, originalStatusCode=may(integer(100, 599)), originalMessage=may(text()))
_EVENTS = union(
    _OTHER,
    {
        "messageStart": obj(role=need(word("assistant"), cite("BRC-S-002"))),
        "contentBlockStart": obj(_INDEX, start=need(_START)),
        "contentBlockDelta": obj(_INDEX, delta=need(_DELTAS)),
        "contentBlockStop": obj(_INDEX),
        "messageStop": obj(_STOP, additionalModelResponseFields=may(anything)),
        "metadata": obj(
            _SERVED,
            usage=need(_USAGE, missing=cite("BRC-S-005")),
            metrics=need(_METRICS, missing=cite("BRC-S-005")),
        ),
        **{
            name: obj(cite("BRC-S-007"), _OF_MODEL if name == "modelStreamErrorException" else _RAISED)
            for name in EXCEPTIONS
        },
    },
)
EVENT = obj(_EVENTS, {"amazon-bedrock-invocationMetrics": may(mapping(), only=INVOKED)})
FAILURE = obj(message=need(text(1)), originalStatusCode=may(integer(100, 599)), resourceName=may(text()))
