# Build: docker build -t conformance .
# Use:   docker run --rm -v "$PWD:/work:ro" conformance check recordings
FROM python:3.12-slim AS build
COPY . /src
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /src

FROM python:3.12-slim
COPY --from=build /src/constraints.txt /wheels/ /tmp/wheels/
RUN python -m pip install --no-cache-dir --constraint /tmp/wheels/constraints.txt "$(ls /tmp/wheels/*.whl)[all]" \
 && rm -r /tmp/wheels
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["conformance"]
CMD ["--help"]
