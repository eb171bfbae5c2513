"""The generation settings of a Gemini request: sampling, limits, form, thinking, speech, images."""

from __future__ import annotations

from conformance.contract.nodes import Field, Foreign, Node
from conformance.contract.notation import *
from conformance.dialects.gemini.contract.common import *
from conformance.dialects.gemini.contract.places import *
from conformance.dialects.gemini.contract.schemas import ROOT
from conformance.model.finding import Severity

_RANGE = cite("GEM-Q-022", refused=400)
_THINKING = refusal("GEM-Q-023")
_BUDGET = refusal("GEM-Q-022")
_JSON = is_("responseMimeType", "application/json")
_ENUM = is_("responseMimeType", "text/x.enum")
_LANGUAGE = may(text(1))
_OLD = cite("GEM-Q-032")
_REPLACED = cite(
    "GEM-Q-032", Severity.INFO, because="the SDKs still send it, and only Vertex AI documents what replaces it"
)
_IDLE = cite("GEM-Q-036", Severity.WARNING, because="without effect there, but not refused")

# Thinking ---------------------------------------------------------------------------------------------------------
_AUTOMATIC = whole(-1, -1)
_NONE = whole(0, 0)
THINKING = sent(
    excludes("thinkingBudget", "thinkingLevel", cite=refusal("GEM-Q-023")),
    includeThoughts=may(boolean),
    thinkingBudget=first(
        may(whole(128, 32768) | _AUTOMATIC, _BUDGET, only=PRO_2_5),
        may(whole(512, 24576) | _NONE | _AUTOMATIC, _BUDGET, only=LITE_2_5),
        may(whole(-1, 24576), _BUDGET, only=FLASH_2_5),
        may(whole(-1), _BUDGET),
    ),
    thinkingLevel=first(
        may(Foreign("`thinkingBudget`: only Gemini 3 has levels"), _THINKING, only=UP_TO_2_5),
        may(enum("THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH")),
    ),
)

# Speech -----------------------------------------------------------------------------------------------------------
_REPLICATED_VOICE_CONFIG = sent(
    mimeType=may(text(1)),
    voiceSampleAudio=may(text(1)),
    consentAudio=on_google(text(1)),
    voiceConsentSignature=on_google(sent(signature=may(text(1)))),
)
_VOICE = sent(
    prebuiltVoiceConfig=may(sent(voiceName=may(text(1)))),
    replicatedVoiceConfig=may(_REPLICATED_VOICE_CONFIG),
    voice=may(text(1)),
)
_MULTI_SPEAKER_VOICE_CONFIG = sent(
    speakerVoiceConfigs=first(
        # The SDK and Vertex AI document exactly two speakers, the guide of the Gemini API up to two.
        need(many(sent(speaker=need(text(1)), voiceConfig=need(_VOICE)), 2, 2), cite("GEM-Q-031"), only=VERTEX),
        need(many(sent(speaker=need(text(1)), voiceConfig=need(_VOICE)), 1, 2), cite("GEM-Q-031")),
    )
)
SPEECH = sent(
    excludes("voiceConfig", "multiSpeakerVoiceConfig", cite=cite("GEM-Q-023")),
    languageCode=_LANGUAGE,
    voiceConfig=may(_VOICE),
    multiSpeakerVoiceConfig=may(_MULTI_SPEAKER_VOICE_CONFIG),
)
TRANSCRIPTION = sent(
    languageCodes=may(array(text(1))),
    languageAuto=may(sent(), deprecated=_OLD),
    languageHints=may(sent(languageCodes=need(array(text(1), 1))), deprecated=_OLD),
    customVocabulary=may(array(text(1))),
    adaptationPhrases=may(array(text(1)), deprecated=_OLD),
    wordTimestamp=may(boolean),
    diarization=may(boolean),
    mode=may(enum("MODE_UNSPECIFIED", "VERBATIM", "SMART")),
    sourceText=may(text()),
)

# Images, and other forms ------------------------------------------------------------------------------------------
IMAGE = sent(
    aspectRatio=may(
        known("1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9", "1:8", "8:1", "1:4", "4:1"),
    ),
    imageSize=may(known("512", "1K", "2K", "4K")),
    personGeneration=on_vertex(enum("PERSON_GENERATION_UNSPECIFIED", "ALLOW_ALL", "ALLOW_ADULT", "ALLOW_NONE")),
    prominentPeople=on_vertex(
        enum("PROMINENT_PEOPLE_UNSPECIFIED", "ALLOW_PROMINENT_PEOPLE", "BLOCK_PROMINENT_PEOPLE"),
    ),
    imageOutputOptions=on_vertex(sent(mimeType=may(text(1)), compressionQuality=may(whole(0, 100)))),
)
_DELIVERY = may(enum("DELIVERY_UNSPECIFIED", "INLINE", "URI"))
_RATIOS = words_of(
    "ASPECT_RATIO_",
    """UNSPECIFIED ONE_BY_ONE TWO_BY_THREE THREE_BY_TWO THREE_BY_FOUR FOUR_BY_THREE FOUR_BY_FIVE FIVE_BY_FOUR
    NINE_BY_SIXTEEN SIXTEEN_BY_NINE TWENTY_ONE_BY_NINE ONE_BY_EIGHT EIGHT_BY_ONE ONE_BY_FOUR FOUR_BY_ONE""",
)
_SIZES = words_of("IMAGE_SIZE_", "UNSPECIFIED FIVE_TWELVE ONE_K TWO_K FOUR_K")
_UNCOMPRESSED = ("AUDIO_L16", "AUDIO_WAV", "AUDIO_ALAW", "AUDIO_MULAW", "audio/l16", "audio/wav")
_AUDIO = sent(
    excludes(is_("mimeType", *_UNCOMPRESSED), "bitRate", cite=_IDLE),
    bitRate=may(whole(1)),
    sampleRate=may(whole(1)),
    delivery=_DELIVERY,
    mimeType=may(text(1)),
)
_FORMAT_TEXT = sent(
    needs("schema", is_("mimeType", "APPLICATION_JSON", "application/json"), cite=_IDLE),
    mimeType=may(text(1)),
    schema=may(anything),
)
_VIDEO = sent(
    needs(is_("delivery", "URI", "uri", 2), "gcsUri", cite=cite("GEM-Q-036"), only=VERTEX),
    aspectRatio=may(enum(*_RATIOS)),
    delivery=_DELIVERY,
    duration=may(DURATION),
    gcsUri=on_vertex(text(1)),
    resolution=may(known("360p", "720p", "1080p", "4k")),
)
FORMAT = sent(
    some_of("audio", "image", "text", "video"),
    audio=may(_AUDIO),
    image=may(
        sent(aspectRatio=may(enum(*_RATIOS)), imageSize=may(enum(*_SIZES)), delivery=_DELIVERY, mimeType=may(text(1)))
    ),
    text=may(_FORMAT_TEXT),
    video=may(_VIDEO),
)


def _until_format(node: Node) -> Field:
    """A field that `responseFormat` replaces on Vertex AI."""
    return first(may(node, deprecated=_REPLACED, only=VERTEX), may(node))


_PREFERENCES = ("PRIORITIZE_QUALITY", "BALANCED", "PRIORITIZE_COST")

# Settings ---------------------------------------------------------------------------------------------------------
_ROUTING_CONFIG = sent(
    some_of("autoMode", "manualMode"),
    autoMode=may(sent(modelRoutingPreference=may(enum("UNKNOWN", *_PREFERENCES)))),
    manualMode=may(sent(modelName=may(text(1)))),
)
_MODEL_CONFIG = sent(
    featureSelectionPreference=need(enum("FEATURE_SELECTION_PREFERENCE_UNSPECIFIED", *_PREFERENCES)),
)
CONFIG = sent(
    excludes("responseSchema", "responseJsonSchema", cite=cite("GEM-Q-023", refused=400)),
    needs("responseSchema", _JSON, _ENUM, "responseFormat", cite=cite("GEM-Q-023", refused=400)),
    needs("responseJsonSchema", _JSON, "responseFormat", cite=cite("GEM-Q-023", refused=400)),
    needs("logprobs", is_("responseLogprobs", True), cite=cite("GEM-Q-023", refused=400)),
    temperature=may(real(0, 2), _RANGE),
    topP=may(real(0, 1), _RANGE),
    topK=first(
        may(real(1, 40), refusal("GEM-Q-022"), only=GEMINI_1_5),
        may(real(1), _RANGE),
    ),
    candidateCount=may(whole(1), _RANGE),
    maxOutputTokens=may(whole(1), _RANGE),
    stopSequences=first(
        may(array(text(), 0, 16), count=refusal("GEM-Q-022"), only=VERTEX_1_5),
        may(array(text(), 0, 5), count=cite("GEM-Q-022", refused=400)),
    ),
    seed=may(whole()),
    presencePenalty=may(real(-2, 2), _RANGE),
    frequencyPenalty=may(real(-2, 2), _RANGE),
    responseLogprobs=may(boolean),
    logprobs=may(whole(0, 20), _RANGE),
    responseMimeType=_until_format(known("text/plain", "application/json", "text/x.enum")),
    responseSchema=_until_format(ROOT),
    responseJsonSchema=_until_format(anything),
    responseJsonSchemaOrdered=may(anything),
    responseFormat=may(many(FORMAT)),
    responseModalities=first(
        need(array(enum("AUDIO"), 1), refusal("GEM-Q-023"), only=SPEAKING),
        may(array(enum("MODALITY_UNSPECIFIED", "TEXT", "IMAGE", "AUDIO", "VIDEO"))),
    ),
    mediaResolution=may(enum(*words_of("MEDIA_RESOLUTION_", "UNSPECIFIED LOW MEDIUM HIGH"))),
    thinkingConfig=first(
        may(Foreign("a model that thinks: from Gemini 2.5 on"), _THINKING, only=UNTHINKING), may(THINKING)
    ),
    speechConfig=may(SPEECH),
    imageConfig=_until_format(IMAGE),
    translationConfig=may(sent(targetLanguageCode=need(text(1)), echoTargetLanguage=may(boolean))),
    audioTranscriptionConfig=may(TRANSCRIPTION),
    enableEnhancedCivicAnswers=on_google(boolean),
    audioTimestamp=on_vertex(boolean),
    enableAffectiveDialog=on_vertex(boolean),
    routingConfig=on_vertex(_ROUTING_CONFIG),
    # The SDK's name of the field in user code.
    modelSelectionConfig=may(Foreign("`modelConfig`"), refusal("GEM-Q-018")),
    modelConfig=on_vertex(_MODEL_CONFIG),
)
