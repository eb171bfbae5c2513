"""instructor: a structured answer by a forced tool."""

import instructor
from play import WEATHER
from pydantic import BaseModel


class Weather(BaseModel):
    """The weather."""

    temperature: float
    sky: str


client = instructor.from_provider("openai/gpt-4o-mini", base_url=__import__("os").environ["OPENAI_BASE_URL"])
print(client.chat.completions.create(response_model=Weather, messages=[{"role": "user", "content": WEATHER}]))
