import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository, token } from '../world.ts';
import { answerWith, type Cause, edited, inEnvFile, page, serve } from './cause.ts';

/** Faults of files, settings, the model and MCP servers, by what is wrong. */
export const settingCauses: Readonly<Record<string, Cause>> = {
  '.env is a directory': {
    area: 'config',
    make: async (at) => {
      await mkdir(join(at.directory, '.env'));
      return {};
    },
    text: /\.env is a directory/,
    fix: /Replace it with a regular file/,
  },
  'the token itself is in token_env': {
    area: 'config',
    make: (at) => edited(at, { 'platforms.github.token_env': token }),
    text: /platforms\.github\.token_env: must name an environment variable, but looks like the secret itself/,
    fix: /Correct these settings/,
  },
  'a limit of costs has a currency': {
    area: 'config',
    make: (at) => edited(at, { 'limits.max_cost': '5 USD' }),
    text: /limits\.max_cost: must be a number such as 5/,
    fix: /Correct these settings/,
  },
  'environments is a map': {
    area: 'config',
    make: (at) => edited(at, { environments: { [repository]: {} } }),
    text: /environments: must be a list/,
    fix: /Correct these settings/,
  },
  'a key of an MCP server is wrong': {
    area: 'config',
    make: (at) => edited(at, { mcp_servers: { box: { cmd: 'npx' } } }),
    text: /^\S+ has mistakes:\n {2}- mcp_servers\.box\.cmd is not a known key\. Did you mean command\?$/,
    fix: /Correct these settings/,
  },
  'the configuration is in Latin-1': {
    area: 'config',
    make: async (at) => {
      await writeFile(at.configFile, Buffer.from('# caf\xe9\nplatforms: {}\n', 'latin1'));
      return {};
    },
    text: /line 1: the text is neither UTF-8 nor UTF-16/,
    fix: /save it as UTF-8/,
  },
  'the configuration is not YAML': {
    area: 'config',
    make: async (at) => {
      await writeFile(at.configFile, 'platforms: [\n');
      return {};
    },
    text: /is not valid YAML/,
    fix: /Correct the YAML at that place/,
  },
  'no model server runs': {
    area: 'model',
    make: (at) => edited(at, { 'llm.base_url': 'http://127.0.0.1:2/v1' }),
    text: /^cannot reach http:\/\/127\.0\.0\.1:2\/v1 \(ECONNREFUSED\)$/,
    fix: /^Start the server at 127\.0\.0\.1:2, or set llm\.base_url to/,
  },
  'the model server does not use TLS': {
    area: 'model',
    make: (at) => edited(at, { 'llm.base_url': at.model.baseUrl.replace('http:', 'https:') }),
    text: /ERR_SSL_WRONG_VERSION_NUMBER/,
    fix: /Write http:\/\/ instead of https:\/\/ in llm\.base_url/,
  },
  'the base URL of the model lacks /v1': {
    area: 'model',
    make: (at) => edited(at, { 'llm.base_url': new URL(at.model.baseUrl).origin }),
    text: /^there is no model API at http:\/\/127\.0\.0\.1:\d+ \(HTTP 404\)$/,
    fix: /^Set llm\.base_url \(or LLM_BASE_URL\) to http:\/\/127\.0\.0\.1:\d+\/v1\.$/,
  },
  'the base URL of the model is a web page': {
    area: 'model',
    make: async (at) => edited(at, { 'llm.base_url': await serve(page) }),
    text: /answers with a web page, not with a model API/,
    fix: /base URL of an OpenAI-compatible API/,
  },
  'the model has a slip in its name': {
    area: 'model',
    make: (at) => edited(at, { 'llm.model': 'scripted_modell' }),
    text: /^the server has no model scripted_modell; it has scripted-model$/,
    fix: /^Set llm\.model \(or LLM_MODEL\) to scripted-model\.$/,
  },
  'the model server wants a key': {
    area: 'model',
    make: async (at) =>
      edited(at, { 'llm.base_url': await serve(answerWith(401, 'application/json', '{}')) }),
    text: /requires an API key \(HTTP 401\)/,
    fix: /name the variable in llm\.api_key_env/,
  },
  'the key of the model is refused': {
    area: 'model',
    make: async (at) => {
      const url = await serve(answerWith(403, 'application/json', '{}'));
      await edited(at, { 'llm.base_url': url, 'llm.api_key_env': 'MODEL_KEY' });
      return { MODEL_KEY: 'a-key-that-is-refused' };
    },
    text: /rejected the API key \(HTTP 403\)/,
    fix: /Put a valid API key into MODEL_KEY/,
  },
  'an MCP server cannot be started': {
    area: 'mcp',
    make: (at) => edited(at, { mcp_servers: { box: { command: 'no-such-program-anywhere' } } }),
    text: /^box: /,
    fix: /Install the program that mcp_servers\.box\.command names/,
  },
  'an MCP server does not run': {
    area: 'mcp',
    make: (at) => edited(at, { mcp_servers: { box: { url: 'http://127.0.0.1:2/mcp' } } }),
    text: /^box: /,
    fix: /Start the server at 127\.0\.0\.1:2, or set mcp_servers\.box\.url/,
  },
  'the port of http is not one of this machine': {
    area: 'http',
    make: (at) => edited(at, { http: { port: 9464, host: '203.0.113.7' } }),
    text: /cannot listen on 203\.0\.113\.7:9464 \(EADDRNOTAVAIL\)/,
    fix: /Set http\.host to an address of this machine/,
  },
};

/** Faults that the daemon works with, by what is wrong. */
export const doubts: Readonly<Record<string, Cause>> = {
  'a line of .env has no "="': {
    area: 'config',
    make: (at) => inEnvFile(at, `LLM_MODEL=scripted-model\nGITHUB_TOKEN ${token}\n`),
    text: /\.env, line 2: the line has no "=" and is ignored$/,
    fix: /^Write it as NAME=value\.$/,
  },
  'an unquoted # cuts a value of .env': {
    area: 'config',
    make: (at) => inEnvFile(at, 'SHOP_PASSWORD=abc#def\n'),
    text: /\.env, line 1: the value of SHOP_PASSWORD ends before the "#"/,
    fix: /Put the value in quotes/,
  },
  'a quote of .env is never closed': {
    area: 'config',
    make: (at) => inEnvFile(at, 'A="abc\nLLM_MODEL=scripted-model\n'),
    text: /\.env, line 1: the quote that begins the value of A is never closed/,
    fix: /Add the closing quote/,
  },
  'variables of Node are in .env': {
    area: 'config',
    make: (at) => inEnvFile(at, 'NODE_EXTRA_CA_CERTS=/etc/ssl/own.pem\n'),
    text: /\.env sets NODE_EXTRA_CA_CERTS, which Node\.js reads only when it starts/,
    fix: /Export them in the environment/,
  },
  'nothing receives traces': {
    area: 'telemetry',
    make: async () => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:2',
      OTEL_METRICS_EXPORTER: 'none',
    }),
    text: /^http:\/\/127\.0\.0\.1:2\/v1\/traces does not accept traces \(ECONNREFUSED\)/,
    fix: /Start the server at 127\.0\.0\.1:2, or set OTEL_EXPORTER_OTLP_ENDPOINT/,
  },
  'the receiver of traces is not at this path': {
    area: 'telemetry',
    make: async () => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: await serve(answerWith(404, 'text/plain', 'no')),
      OTEL_METRICS_EXPORTER: 'none',
    }),
    text: /HTTP 404/,
    fix: /OTLP\/HTTP endpoint of the receiver, usually port 4318/,
  },
  'the receiver of traces wants a login': {
    area: 'telemetry',
    make: async () => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: await serve(answerWith(401, 'text/plain', 'no')),
      OTEL_METRICS_EXPORTER: 'none',
    }),
    text: /HTTP 401/,
    fix: /OTEL_EXPORTER_OTLP_HEADERS/,
  },
  'the port is that of OTLP over gRPC': {
    area: 'telemetry',
    make: async () => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317',
      OTEL_METRICS_EXPORTER: 'none',
    }),
    text: /4317/,
    fix: /Port 4317 is for gRPC/,
  },
};
