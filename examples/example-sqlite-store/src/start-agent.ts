import { join } from 'node:path';
import { createOrchestrator } from '@agent/orchestrator';
import { parseRunSettings } from '@agent/orchestrator/config';
import { createGitHubPlatform } from '@agent/platforms/github';
import { createOpenAI } from '@ai-sdk/openai';
import { createSqliteStorage } from './create-sqlite-storage.ts';

/** Works on the issues that are assigned to the agent until none is left. Its runs are in SQLite. */
const {
  GITHUB_API_URL = '',
  GITHUB_TOKEN = '',
  REPOSITORY = '',
  LLM_BASE_URL = '',
  RUNS = '.',
} = process.env;
const storage = createSqliteStorage({ directory: RUNS });
const github = {
  token: GITHUB_TOKEN,
  baseUrl: GITHUB_API_URL,
  repositories: [REPOSITORY],
  writeSpacingMs: 0,
};
const orchestrator = createOrchestrator({
  platforms: [
    {
      platform: (connection) => createGitHubPlatform({ ...github, ...connection }),
      gitToken: () => GITHUB_TOKEN,
    },
  ],
  model: createOpenAI({ baseURL: LLM_BASE_URL, apiKey: 'none' }).chat('scripted-model'),
  ...{ directory: join(RUNS, 'worktrees'), storage, secrets: [GITHUB_TOKEN] },
  settings: parseRunSettings({
    planning: { enabled: false },
    tools: { run_command: { allow: [], sandbox: 'off', allow_root: true } },
  }),
});
try {
  await orchestrator.run({ once: true });
} finally {
  await storage.close();
}
