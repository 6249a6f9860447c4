// An agent on a pull request, as a program of its own. Start it again after a crash: it continues from its last checkpoint.
import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { CommentDetectionManager } from '@agent/comment-detection';
import { type Checkpoint, resumeFrom, withComments } from '@agent/comment-detection/ai-sdk';
import { createCommentSource } from '@agent/comment-detection/sources';
import { createOpenAI } from '@ai-sdk/openai';
import { Octokit } from '@octokit/rest';
import { generateText, isStepCount, type ModelMessage, tool } from 'ai';
import { z } from 'zod';

const {
  GITHUB_URL = 'https://api.github.com',
  GITHUB_TOKEN = '',
  PULL_NUMBER,
  MODEL_URL = 'https://api.openai.com/v1',
  CI_URL = '',
  CHECKPOINT_FILE: file = 'checkpoint.json',
} = process.env;

const octokit = new Octokit({ auth: GITHUB_TOKEN, baseUrl: GITHUB_URL });
const source = createCommentSource(octokit, { owner: 'alice', repo: 'shop', number: Number(PULL_NUMBER) });
const manager = new CommentDetectionManager(source);

const last: Checkpoint | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
const messages: ModelMessage[] =
  last === null
    ? [{ role: 'user', content: 'Make the tests of this pull request pass.' }]
    : resumeFrom(last, manager);

/** Replaces the checkpoint as a whole. */
async function keep(checkpoint: Checkpoint): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(checkpoint));
  await rename(`${file}.new`, file);
}

const { text } = await withComments(generateText, manager, { onCheckpoint: keep })({
  model: createOpenAI({ baseURL: MODEL_URL, apiKey: 'none' }).chat('scripted-model'),
  messages,
  tools: {
    run_tests: tool({
      description: 'Runs the tests of the pull request.',
      inputSchema: z.object({}),
      execute: async () => (await fetch(CI_URL)).text(),
    }),
  },
  stopWhen: isStepCount(20),
});
console.log(text);
