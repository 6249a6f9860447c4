// One start of the agent, configured by environment variables.
import { parseTaskKey } from '@agent/platforms';
import { createGitHubPlatform } from '@agent/platforms/github';
import { createOpenAI } from '@ai-sdk/openai';
import { workOn } from './agent.ts';

const { GITHUB_API_URL = 'https://api.github.com', GITHUB_TOKEN = '', THREAD = '' } = process.env;
const { LLM_BASE_URL = '', LLM_API_KEY = 'none', LLM_MODEL = '', SHOP_URL = '', RUNS = 'runs' } = process.env;

const key = parseTaskKey(THREAD);
if (key?.type !== 'github_issue') {
  throw new Error(`THREAD is "${THREAD}". Set it to github_issue:owner:repo:number.`);
}
const platform = createGitHubPlatform({
  token: GITHUB_TOKEN,
  baseUrl: GITHUB_API_URL,
  repositories: [`${key.owner}/${key.repo}`],
  ...(GITHUB_API_URL.includes('127.0.0.1') ? { writeSpacingMs: 0 } : {}),
});
const shop = {
  order: async (item: string) => (await fetch(SHOP_URL, { method: 'POST', body: item })).text(),
  listOrders: async () => (await fetch(SHOP_URL)).text(),
};
const shutdown = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => shutdown.abort());
const model = createOpenAI({ baseURL: LLM_BASE_URL, apiKey: LLM_API_KEY }).chat(LLM_MODEL);
console.log(await workOn(key, { platform, model, shop, directory: RUNS, signal: shutdown.signal }));
