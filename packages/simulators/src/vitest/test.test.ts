import { createOpenAI } from '@ai-sdk/openai';
import { Octokit } from '@octokit/rest';
import { generateText } from 'ai';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { followSteps } from '../model/index.ts';
import { test } from './test.ts';

const left: string[] = [];
const countServers = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPServerWrap').length;

let before = 0;

beforeAll(() => {
  before = countServers();
});

afterAll(async () => {
  for (const url of left) await expect(fetch(url), url).rejects.toThrow('fetch failed');
});

describe('the fixtures of @agent/simulators/vitest', () => {
  test('are empty servers for real clients, which end with the test [NX-395]', async ({ github, gitlab }) => {
    github.addUser({ login: 'alice' });
    github.addToken({ token: 'alices', login: 'alice' });
    await github.addRepository({ owner: 'alice', name: 'shop' });
    const octokit = new Octokit({ baseUrl: github.url, auth: 'alices' });
    const { data } = await octokit.rest.issues.create({ owner: 'alice', repo: 'shop', title: 'Broken' });
    expect(github.thread('alice/shop', data.number).title).toBe('Broken');
    expect((await fetch(`${gitlab.url}/api/v4/version`)).status).toBe(401);
    left.push(github.url, gitlab.url);
  });

  test('know nothing of the test before [NX-395]', async ({ github }) => {
    expect(left).not.toContain(github.url);
    expect(github.requests).toEqual([]);
    expect((await fetch(`${github.url}/users/alice`)).status).toBe(404);
    left.push(github.url);
  });

  test('start for who names them alone [NX-395]', async ({ gitlab }) => {
    expect(countServers()).toBe(before + 1);
    left.push(gitlab.url);
  });

  test('play a model by the script of the test [NX-395]', async ({ model, discord }) => {
    model.play(followSteps([{ text: 'Hello to you.' }]));
    const openai = createOpenAI({ baseURL: model.baseUrl, apiKey: 'any' });
    const { text } = await generateText({ model: openai('scripted-model'), prompt: 'Hello.' });
    expect(text).toBe('Hello to you.');
    expect(model.requests).toHaveLength(1);
    const headers = { authorization: `Bot ${discord.token}` };
    expect((await fetch(`${discord.apiUrl}/v10/users/@me`, { headers })).status).toBe(200);
    left.push(model.baseUrl, discord.apiUrl);
  });
});
