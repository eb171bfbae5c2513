# A gateway, at a path of its own, that loses one setting: the table names the loss, and only that.
# seconds: 30
port=$(python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
expect 1 conformance gateway --base-url "http://127.0.0.1:$port" --client-dialect openai-chat \
  --upstream-dialect openai-chat --path openai-chat=/chat/completions --driver openai --scenario settings \
  --scenario weather -- python "$DATA/gateway.py" "$port" > out
grep -q "up limit-dropped" out
grep -q '^openai-chat  *openai-chat  *1  *1  *0  *0  *0$' out
