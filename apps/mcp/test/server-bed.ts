import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGitHubSimulator } from '@agent/simulators/github';
import { startGitLabSimulator } from '@agent/simulators/gitlab';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/** The program, as Node runs it from its source. */
export const program = [
  '--conditions=@agent/source',
  fileURLToPath(new URL('../src/main.ts', import.meta.url)),
];

/** A thread on a simulated forge, and the arguments that name it. */
export interface Stage {
  readonly say: (author: string, body: string) => void;
  readonly bodies: () => readonly string[];
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly token: string;
  readonly close: () => Promise<void>;
}

/** Opens an issue on a simulated GitHub, where alice may write and mallory may not. */
export async function stageGitHub(): Promise<Stage> {
  const github = await startGitHubSimulator();
  const state = await mkdtemp(join(tmpdir(), 'mcp-'));
  for (const login of ['alice', 'mallory', 'robot']) github.addUser({ login });
  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  github.addToken({ token, login: 'robot' });
  await github.addRepository({ owner: 'alice', name: 'shop', collaborators: { robot: 'write' } });
  const { number } = github.openIssue({ repo: 'alice/shop', author: 'alice', title: 'Fix the sum' });
  return {
    token,
    say: (author, body) => void github.comment({ repo: 'alice/shop', number, author, body }),
    bodies: () => github.thread('alice/shop', number).comments.map(({ body }) => body),
    args: [
      '--thread',
      `${github.url}/alice/shop/issues/${number}`,
      '--api-url',
      github.url,
      '--state',
      state,
    ],
    environment: { GITHUB_TOKEN: token },
    close: async () => {
      await github.close();
      await rm(state, { recursive: true });
    },
  };
}

/** Opens an issue on a simulated GitLab, with the same people. */
export async function stageGitLab(): Promise<Stage> {
  const gitlab = await startGitLabSimulator();
  const state = await mkdtemp(join(tmpdir(), 'mcp-'));
  for (const username of ['alice', 'mallory', 'robot']) gitlab.addUser({ username });
  const token = 'glpat-0123456789abcdefghij';
  gitlab.addToken({ token, username: 'robot' });
  const project = 'alice/shop';
  await gitlab.addProject({ path: project, visibility: 'public', members: { robot: 'developer' } });
  const { iid, reference } = gitlab.openIssue({ project, author: 'alice', title: 'Fix the sum' });
  return {
    token,
    say: (author, body) => void gitlab.note({ project, reference, author, body }),
    bodies: () => gitlab.thread(project, reference).notes.map(({ body }) => body),
    args: ['--thread', `${gitlab.url}/alice/shop/-/issues/${iid}`, '--state', state],
    environment: { GITLAB_TOKEN: token },
    close: async () => {
      await gitlab.close();
      await rm(state, { recursive: true });
    },
  };
}

/** A client of the SDK, and the answers of the tools as its model would read them. */
export interface ToolClient {
  readonly client: Client;
  readonly pid: number | null;
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>;
}

/** Answer of a tool. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly ids: readonly string[];
}

/** Starts the program as a client of MCP does. */
export async function startOverStdio({ args, environment }: Stage): Promise<ToolClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...program, ...args],
    env: { ...environment, PATH: process.env.PATH ?? '' },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return { client, pid: transport.pid, call: callOf(client) };
}

/** Gives the function that calls a tool. */
export function callOf(client: Client): ToolClient['call'] {
  return async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args });
    const [first] = result.content as readonly { readonly text: string }[];
    const ids = (result._meta?.['agent-comments/ids'] ?? []) as readonly string[];
    return { text: first?.text ?? '', isError: result.isError === true, ids };
  };
}
