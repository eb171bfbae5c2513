// Runs llama.cpp's own parser over texts: reads one JSON object a line (template, tools, text), writes one.
// Built against the libraries of a built llama.cpp; docs/findings/markup.md has the commands.

#include "chat.h"
#include "json.h"

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

static common_json read(const std::string & line) {
    const common_json given = common_json::parse(line);
    std::ifstream     file(given.at("template").get<std::string>());
    const std::string source((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());

    common_chat_templates_inputs inputs;
    common_chat_msg              user;
    user.role               = "user";
    user.content            = "Hi";
    inputs.messages         = { user };
    inputs.tools            = common_chat_tools_parse_oaicompat(given.at("tools"));
    inputs.reasoning_format = COMMON_REASONING_FORMAT_AUTO;
    inputs.enable_thinking  = given.at("thinking").get<bool>();
    inputs.parallel_tool_calls = true;

    const auto templates = common_chat_templates_init(nullptr, source);
    const auto params    = common_chat_templates_apply(templates.get(), inputs);

    common_chat_parser_params parser(params);
    parser.reasoning_format = COMMON_REASONING_FORMAT_AUTO;
    parser.parser.load(params.parser);
    const auto message = common_chat_parse(given.at("text").get<std::string>(), given.at("partial").get<bool>(), parser);

    common_json calls = common_json::array();
    for (const auto & call : message.tool_calls) {
        calls.push_back(common_json::array({ call.name, call.arguments }));
    }
    return calls;
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        try {
            std::cout << read(line).dump() << std::endl;
        } catch (const std::exception & error) {
            std::cout << common_json(std::string(error.what()).substr(0, 200)).dump() << std::endl;
        }
    }
}
