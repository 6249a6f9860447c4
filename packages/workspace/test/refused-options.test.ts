import { describe, expect, it } from 'vitest';
import { createGitWorkspaces } from '../src/index.ts';
import { connectMcpServers } from '../src/mcp/index.ts';
import { createGitRef } from '../src/refs/git-ref.ts';
import { chooseSandbox } from '../src/sandbox/index.ts';
import { createFetchPageTool } from '../src/tools/fetch-page-tool.ts';
import { createCommandTool } from '../src/tools/run-command-tool.ts';

const sandbox = { kind: 'none', mode: 'off' } as const;
const ref = {
  cloneUrl: 'https://github.com/octo/cat.git',
  ref: 'refs/agent/records/a',
  directory: '/nowhere',
};

const refused: readonly (readonly [message: string, call: () => unknown])[] = [
  ['GitWorkspacesOptions must be an object; it is undefined.', () => createGitWorkspaces(undefined as never)],
  [
    'GitWorkspacesOptions.token must be a function that returns the token; it is a text.',
    () => createGitWorkspaces({ directory: '/nowhere', token: 'ghp_secret' } as never),
  ],
  [
    'SandboxOptions.mode must be "required" or "external" or "off"; it is "requird".',
    () => chooseSandbox({ mode: 'requird' } as never),
  ],
  [
    'SandboxOptions.allowroot is unknown. Did you mean allowRoot?',
    () => chooseSandbox({ mode: 'off', allowroot: true } as never),
  ],
  ['FetchPageOptions.allow must be an array', () => createFetchPageTool({ allow: 'example.com' } as never)],
  [
    'CommandToolOptions.sandbox must be a sandbox',
    () => createCommandTool({ workspacePath: '/nowhere' } as never),
  ],
  [
    'CommandToolOptions.limits.memoryMb must be a number of at least 0',
    () => createCommandTool({ workspacePath: '/nowhere', sandbox, limits: { cpuSeconds: 1 } } as never),
  ],
  ['GitRefOptions.token must be a function', () => createGitRef(ref as never)],
  [
    'ConnectMcpServersOptions.redact must be a function',
    () => connectMcpServers({}, { environment: {}, directory: '/', logger: console } as never),
  ],
];

describe('A public function of the workspace', () => {
  it.each(refused)('names the option that it refuses: %s', async (message, call) => {
    const calling = Promise.resolve().then(call);
    await expect(calling).rejects.toBeInstanceOf(TypeError);
    await expect(calling).rejects.toThrow(message);
  });
});
