import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createListTrigger, createOrchestrator, type TaskState } from '@agent/orchestrator';
import { parseRunSettings } from '@agent/orchestrator/config';
import { formatTaskKey, parseTaskKey } from '@agent/platforms';
import { createGitHubPlatform, type GitHubPlatformOptions } from '@agent/platforms/github';
import type { LanguageModel } from 'ai';

/** Creates an agent for issues that a request names: `POST github_issue:owner:repo:number`. */
export function embedAgent(
  github: GitHubPlatformOptions & { readonly token: string },
  { model, directory }: { readonly model: LanguageModel; readonly directory: string },
  onState: (thread: string, state: string) => void,
) {
  const states = new Map<string, TaskState | 'released'>();
  const setState = (thread: string, state: TaskState | 'released'): void => {
    states.set(thread, state);
    onState(thread, state);
  };
  const trigger = createListTrigger({
    listWaiting: async () =>
      [...states].flatMap(([thread, state]) => (state === 'waiting' ? [parseTaskKey(thread)] : [])),
    setState: async (key, state) => setState(formatTaskKey(key), state),
  });
  const server = createServer(async (request, response) => {
    try {
      if (request.method === 'POST') setState(formatTaskKey(parseTaskKey(await text(request))), 'waiting');
      response.end(JSON.stringify(Object.fromEntries(states)));
    } catch (error) {
      response.writeHead(400).end(`${error}`);
    }
  });
  const orchestrator = createOrchestrator({
    platforms: [
      {
        platform: (connection) => createGitHubPlatform({ ...github, ...connection }),
        trigger,
        gitToken: () => github.token,
      },
    ],
    ...{ model, directory, secrets: [github.token], pollIntervalMs: 1_000 },
    // The agent reads and writes files; it may run no command, so that nothing has to keep commands in.
    settings: parseRunSettings({
      // Without a plan, the whole is a question and its answer.
      planning: { enabled: false },
      tools: { run_command: { allow: [], sandbox: 'off', allow_root: true } },
    }),
  });
  return { server, orchestrator };
}
