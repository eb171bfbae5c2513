"""The retrieval tool of Vertex AI, and the credentials of a tool."""

from __future__ import annotations

from conformance.contract.nodes import Field
from conformance.contract.notation import *
from conformance.dialects.gemini.contract.common import enum, many, on_vertex, real, sent, whole, words_of
from conformance.model.finding import Severity

_TEXT = may(text(1))
_SOURCE = cite("GEM-Q-037")


def _name(pattern: str) -> Field:
    """The full name of a resource: `projects/{project}/locations/{location}/...`."""
    return may(text(1, pattern=f"projects/[^/]+/locations/[^/]+/{pattern}"), cite("GEM-Q-022"))


_ACCOUNT = sent(serviceAccount=_TEXT)
_IN = words_of("HTTP_IN_", "UNSPECIFIED QUERY HEADER PATH BODY COOKIE")
_AUTH_TYPES = words_of(
    "", "AUTH_TYPE_UNSPECIFIED NO_AUTH API_KEY_AUTH HTTP_BASIC_AUTH GOOGLE_SERVICE_ACCOUNT_AUTH OAUTH OIDC_AUTH"
)
AUTH = sent(
    apiKey=_TEXT,
    apiKeyConfig=on_vertex(
        sent(apiKeySecret=_TEXT, apiKeyString=_TEXT, httpElementLocation=may(enum(*_IN)), name=may(text(1)))
    ),
    authType=on_vertex(enum(*_AUTH_TYPES)),
    googleServiceAccountConfig=on_vertex(_ACCOUNT),
    httpBasicAuthConfig=on_vertex(sent(credentialSecret=need(text(1)))),
    oauthConfig=on_vertex(sent(accessToken=_TEXT, serviceAccount=_TEXT)),
    oidcConfig=on_vertex(sent(idToken=_TEXT, serviceAccount=_TEXT)),
)
_OLD = cite("GEM-Q-032")
_STORE = "collections/[^/]+/dataStores/[^/]+"
_API_KEY_CONFIG = sent(
    some_of("apiKeySecretVersion", "apiKeyString", cite=_SOURCE),
    apiKeySecretVersion=_TEXT,
    apiKeyString=_TEXT,
)
_API_AUTH = sent(apiKeyConfig=may(_API_KEY_CONFIG))
_EXTERNAL = sent(
    at_most_one_of("elasticSearchParams", "simpleSearchParams"),
    apiAuth=may(_API_AUTH, deprecated=_OLD),
    apiSpec=may(enum("API_SPEC_UNSPECIFIED", "SIMPLE_SEARCH", "ELASTIC_SEARCH")),
    authConfig=may(AUTH),
    elasticSearchParams=may(sent(index=_TEXT, numHits=may(whole(0)), searchTemplate=_TEXT)),
    endpoint=_TEXT,
    simpleSearchParams=may(sent()),
)
_SEARCH = sent(
    one_of("datastore", "engine", cite=_SOURCE),
    needs("dataStoreSpecs", "engine", cite=cite("GEM-Q-037", Severity.WARNING, because="the document writes `should`")),
    dataStoreSpecs=may(many(sent(dataStore=_name(_STORE), filter=may(text())))),
    datastore=_name(_STORE),
    engine=_name("collections/[^/]+/engines/[^/]+"),
    filter=may(text()),
    maxResults=may(whole(1, 10), cite("GEM-Q-022")),
)
_THRESHOLDS: dict[str, Field] = {
    "vectorDistanceThreshold": may(real()),
    "vectorSimilarityThreshold": may(real()),
}
_RANKER = may(
    text(1, pattern=r"semantic-ranker-[a-z0-9.-]+(@[a-z0-9.-]+)?"),
    cite("GEM-Q-022", Severity.WARNING, because="the document has one name, which may be an example"),
)
_RANKING = sent(
    at_most_one_of("llmRanker", "rankService"),
    llmRanker=may(sent(modelName=_TEXT)),
    rankService=may(sent(modelName=_RANKER)),
)
_RAG_RETRIEVAL_CONFIG = sent(
    filter=may(
        sent(at_most_one_of(*_THRESHOLDS), _THRESHOLDS, metadataFilter=may(text())),
    ),
    hybridSearch=may(sent(alpha=may(real(0, 1), cite("GEM-Q-022")))),
    ranking=may(_RANKING),
    topK=may(whole(1)),
)
_RAG = sent(
    ragCorpora=may(array(text(1)), deprecated=_OLD),
    ragResources=may(many(sent(ragCorpus=_name("ragCorpora/[^/]+"), ragFileIds=may(array(text(1)))))),
    ragRetrievalConfig=may(_RAG_RETRIEVAL_CONFIG),
    similarityTopK=may(whole(1)),
    storeContext=may(boolean),
    vectorDistanceThreshold=may(real()),
)
RETRIEVAL = sent(
    at_most_one_of("externalApi", "vertexAiSearch", "vertexRagStore"),
    disableAttribution=may(boolean, deprecated=_OLD),
    externalApi=may(_EXTERNAL),
    vertexAiSearch=may(_SEARCH),
    vertexRagStore=may(_RAG),
)
