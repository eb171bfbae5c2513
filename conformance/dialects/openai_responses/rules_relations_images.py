"""Images of Responses: the options of the tool that makes them, and the data of those that are sent and made."""

from conformance.dialects.openai_responses.relation_places import output, sent
from conformance.judge.relations import bounded, echoes, encodes, matches, never, row, within

_IMAGES = "request /tools/*[type=image_generation]"
_PARTIAL = "event[type=response.image_generation_call.partial_image] "
row(
    "responses-image-option-conflicting",
    "OAR-Q-023",
    never(f"{_IMAGES}[!output_format=gif]/frame_count"),
    never(f"{_IMAGES}[!output_format=gif]/frame_duration_ms"),
    never(f"{_IMAGES}[!output_format=svg][svg]/svg"),
    never(f"{_IMAGES}[background=transparent][output_format=jpeg|gif]/background"),
    never(f"{_IMAGES}[output_format=gif]/partial_images[!=0]"),
    never(f"{_IMAGES}[output_format=gif][input_image_mask]/input_image_mask"),
    never(f"{_IMAGES}[output_format=gif]/output_compression[!=100]"),
    requirement="The options of an image must go with its output format.",
    why="The server refuses the tool, or leaves the option out.",
)
_MODELS = "gpt-image-1|gpt-image-1-mini|gpt-image-1.5|gpt-image-2|gpt-image-2-2026-04-21"
_OF_ANY_SIZE = "gpt-image-2|gpt-image-2-2026-04-21|" + "|".join(
    f"gpt-image-2.5-{kind}{day}" for kind in ("sunburst", "flare") for day in ("", "-2026-09-08")
)


def _is_size(width: str | None, height: str | None) -> bool:
    """Whether a size has sides that the models can draw; `auto` has none."""
    if width is None or height is None:
        return True
    short, long = sorted((int(width), int(height)))
    return short % 16 == long % 16 == 0 and long <= 3 * short and long <= 3840 and short <= 2160


row(
    "responses-image-size-out-of-range",
    "OAR-Q-026",
    within(
        f"{_IMAGES}[model={_OF_ANY_SIZE}][size]",
        matches("/size", r"auto|([1-9]\d{0,4})x([1-9]\d{0,4})", "a size that the model has", where=_is_size),
    ),
    why="The server refuses the tool.",
)
row(
    "responses-image-option-unsupported",
    "OAR-Q-025",
    never(f"{_IMAGES}[model=gpt-image-1-mini][input_fidelity=high]/input_fidelity"),
    never(f"{_IMAGES}[model=gpt-image-2|gpt-image-2-2026-04-21][input_fidelity]/input_fidelity"),
    never(f"{_IMAGES}[model={_MODELS}][quality=xhigh|max]/quality"),
    never(f"{_IMAGES}[model=dall-e-2][size][!size=auto|256x256|512x512|1024x1024]/size"),
    never(f"{_IMAGES}[model=dall-e-3][size][!size=auto|1024x1024|1792x1024|1024x1792]/size"),
    requirement="The options of an image must be ones that its model has.",
    why="The server refuses the tool, or leaves the option out.",
)
row(
    "responses-image-option-mismatch",
    "OAR-R-033",
    *(
        echoes(output("image_generation_call", f"[{each}]/{each}"), f"{_IMAGES}/{each}[!=auto]")
        for each in ("output_format", "quality", "size", "background")
    ),
    requirement="An image must have the format, quality, size and background that the request asks for.",
    why="The client stores a file under a wrong type, or shows it at a wrong size.",
)
row(
    "responses-partial-images-too-many",
    "OAR-R-034",
    bounded(f"{_PARTIAL}/partial_image_index", by=f"{_IMAGES}/partial_images", below=True),
    why="The client pays for images that it did not ask for.",
)
row(
    "responses-image-malformed",
    "OAR-R-035",
    within(output("image_generation_call"), encodes("/result", "base64")),
    within(_PARTIAL, encodes("/partial_image_b64", "base64")),
    requirement="The data of an image must be base64.",
    why="The client cannot decode the image.",
)
row(
    "responses-audio-malformed",
    "OAR-R-035",
    within("event[type=response.audio.delta]", encodes("/delta", "base64")),
    why="The client cannot play the audio.",
)
row(
    "responses-input-image-malformed",
    "OAR-Q-024",
    within(
        "request /input/*/content/*[type=input_image] | request /input/*/output/*[type=input_image]"
        " | request /input/*/output[type=computer_screenshot] | request /prompt/variables/*[type=input_image]",
        encodes("/image_url", "base64 in a data URL"),
    ),
    within(
        "request /input/*/content/*[type=input_file] | request /input/*/output/*[type=input_file]",
        encodes("/file_data", "base64 or a URL"),
    ),
    within(f"{_IMAGES}/input_image_mask", encodes("/image_url", "base64 or a URL")),
    within(sent("image_generation_call"), encodes("/result", "base64")),
    within("request /tools/*/environment/skills/*/source[type=base64]", encodes("/data", "base64")),
    requirement="The data of an image, a file or a skill must be base64 that can be decoded.",
    why="The server refuses the image.",
    refused=True,
)
