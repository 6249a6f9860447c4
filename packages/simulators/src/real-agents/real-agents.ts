/** An agent that npm has, as it works with a model on loopback and asks nobody else. */
export interface RealAgent {
  readonly name: 'opencode' | 'codex' | 'claude' | 'gemini';
  /** Package, the version that was tried, and what it takes with all that it needs. */
  readonly package: { readonly name: string; readonly version: string; readonly megabytes: number };
  /** Path of its program in the package; one that ends in `.js` is run by node. */
  readonly program: string;
  readonly args: readonly string[];
  /** Variables beside HOME and PATH. `url` is that of the model, without a path. */
  readonly toEnvironment: (model: { readonly url: string }) => Readonly<Record<string, string>>;
  /** Files of its home, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Call of its tool that runs a command. */
  readonly toCall: (command: string) => {
    readonly name: string;
    readonly input: Readonly<Record<string, unknown>>;
  };
}

/** @see https://developers.openai.com/codex/config-reference */
const codex: RealAgent = {
  name: 'codex',
  package: { name: '@agentclientprotocol/codex-acp', version: '2.6.0', megabytes: 457 },
  program: 'dist/index.js',
  args: [],
  toEnvironment: ({ url }) => {
    const local = { name: 'local', base_url: `${url}/v1`, wire_api: 'responses', env_key: 'OPENAI_API_KEY' };
    const config = {
      model: 'm',
      model_provider: 'local',
      model_providers: { local },
      analytics: { enabled: false },
    };
    return {
      OPENAI_API_KEY: 'none',
      DEFAULT_AUTH_REQUEST: JSON.stringify({ methodId: 'api-key' }),
      INITIAL_AGENT_MODE: 'agent-full-access',
      CODEX_CONFIG: JSON.stringify(config),
    };
  },
  files: {},
  toCall: (cmd) => ({ name: 'exec_command', input: { cmd, yield_time_ms: 10_000 } }),
};

/** @see https://code.claude.com/docs/en/settings */
const claude: RealAgent = {
  name: 'claude',
  package: { name: '@agentclientprotocol/claude-agent-acp', version: '0.101.0', megabytes: 402 },
  program: 'dist/index.js',
  args: [],
  toEnvironment: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
  }),
  files: {},
  toCall: (command) => ({ name: 'Bash', input: { command, description: 'Takes a step' } }),
};

/** @see https://geminicli.com/docs/reference/configuration */
const gemini: RealAgent = {
  name: 'gemini',
  package: { name: '@google/gemini-cli', version: '0.61.0', megabytes: 100 },
  program: 'bundle/gemini.js',
  args: ['--acp', '--model', 'gemini-2.5-pro'],
  toEnvironment: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none' }),
  files: {
    '.gemini/settings.json': JSON.stringify({
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    }),
  },
  toCall: (command) => ({ name: 'run_shell_command', input: { command, description: 'Takes a step' } }),
};

/** A system's name, as packages of opencode have it. */
const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** @see https://opencode.ai/docs/config */
const opencode: RealAgent = {
  name: 'opencode',
  // Its program lies in a package for each system, which needs no script to be installed.
  package: { name: `opencode-${system}`, version: '1.18.33', megabytes: 184 },
  program: process.platform === 'win32' ? 'bin/opencode.exe' : 'bin/opencode',
  args: ['acp'],
  toEnvironment: ({ url }) => {
    const options = { baseURL: `${url}/v1`, apiKey: 'none' };
    const local = { npm: '@ai-sdk/openai-compatible', options, models: { m: { tool_call: true } } };
    const config = {
      ...{ provider: { local }, model: 'local/m', small_model: 'local/m' },
      ...{ autoupdate: false, share: 'disabled' },
    };
    return { OPENCODE_CONFIG_CONTENT: JSON.stringify(config), OPENCODE_DISABLE_MODELS_FETCH: '1' };
  },
  files: {},
  toCall: (command) => ({ name: 'bash', input: { command, description: 'Takes a step' } }),
};

/** Agents that were tried here. */
export const realAgents: Readonly<Record<RealAgent['name'], RealAgent>> = { opencode, codex, claude, gemini };
