"""What the client programs share: the questions, and the tools, which run on the server so that it sees them."""

import json
import os
import urllib.error
import urllib.request

SERVER = os.environ["CONFORMANCE_URL"]
WEATHER = "지금 서울 날씨가 어때? 기온을 알려줘."
CITIES = "How warm is it in Seoul and in Busan right now?"

COORDINATES = {
    "type": "object",
    "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
    "required": ["latitude", "longitude"],
    "additionalProperties": False,
}
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["Seoul", "Busan"]}},
    "required": ["city"],
    "additionalProperties": False,
}
NAME = "get_weather"
DESCRIPTION = "Get the current weather."
TASKS = ((WEATHER, COORDINATES), (CITIES, CITY))
"""Two scenarios, each a question with the parameters of its tool: one call, and two calls in one turn."""


def run_tool(arguments, name=NAME):
    """The tool's result as JSON text; an error of the tool as text, too."""
    request = urllib.request.Request(
        f"{SERVER}/_conformance/tools/{name}",
        data=json.dumps(arguments).encode(),
        headers={"content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()


def by_coordinates(latitude: float, longitude: float) -> str:
    """Get the current weather at the given coordinates.

    Args:
        latitude: Degrees north of the equator.
        longitude: Degrees east of Greenwich.
    """
    return run_tool({"latitude": latitude, "longitude": longitude})


def by_city(city: str) -> str:
    """Get the current weather of a city.

    Args:
        city: Seoul or Busan.
    """
    return run_tool({"city": city})


by_coordinates.__name__ = by_city.__name__ = NAME
FUNCTIONS = ((WEATHER, by_coordinates), (CITIES, by_city))
"""The same with the tool as a Python function, for frameworks that make the schema from it."""
