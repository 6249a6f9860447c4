import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CommentDetectionOptions, CommentSource } from '@agent/comment-detection';
import { createCommentSource } from '@agent/comment-detection/sources';
import { cleanUntrustedText } from '@agent/text';
import { createOpenAI } from '@ai-sdk/openai';
import { Octokit } from '@octokit/rest';
import { jsonSchema, type LanguageModel, type Tool, tool } from 'ai';
import { createFastClock, type Place, speed } from '../place.ts';

/** Reads the place that this process was given. */
export function openPlace(): Place {
  return JSON.parse(process.argv[2] ?? '') as Place;
}

/** Opens the thread as our programs listen to it. */
export function openSource({ forgeUrl, token, thread }: Place): CommentSource {
  return createCommentSource(new Octokit({ auth: token, baseUrl: forgeUrl }), {
    ...thread,
    include: ['comments'],
  });
}

/** Gives the options of our inboxes, with the clock of the place. */
export function toHearing({ epoch }: Place): CommentDetectionOptions {
  const now = createFastClock(epoch);
  return {
    botUsername: 'robot',
    authorityOf: () => 'trusted',
    cleanText: (text) => cleanUntrustedText(text).text,
    now: () => new Date(now()),
    monotonicNow: now,
    sleep: sleepFast,
  };
}

/** Sleeps by the fast clock. */
export async function sleepFast(
  milliseconds: number,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  await wait(milliseconds / speed, undefined, signal === undefined ? {} : { signal });
}

/** Creates a client of the model. */
export function openModel({ baseUrl }: Place): LanguageModel {
  return createOpenAI({ baseURL: baseUrl, apiKey: 'none' }).chat('scripted');
}

/** The one tool of all programs. */
export const work: Tool = tool({
  description: 'Does a piece of the work.',
  inputSchema: jsonSchema<Record<string, never>>({ type: 'object', properties: {} }),
  execute: async () => {
    await wait(2);
    return 'done';
  },
});

/** A value in the directory of a place, written whole or not at all. */
export interface Kept<Value> {
  readonly read: () => Value | null;
  readonly write: (value: Value) => Promise<void>;
}

/** Opens a value that outlives the process. */
export function keep<Value>({ directory }: Place, name: string): Kept<Value> {
  const path = join(directory, name);
  return {
    read: () => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Value) : null),
    write: async (value) => {
      await writeFile(`${path}.tmp`, JSON.stringify(value));
      await rename(`${path}.tmp`, path);
    },
  };
}

/** The plain loop that is written where nothing better is at hand: lists the thread, and takes what has a higher number than the last. */
export async function listNewComments(
  place: Place,
  { after }: { readonly after: number },
): Promise<readonly { readonly id: number; readonly text: string }[]> {
  const octokit = new Octokit({ auth: place.token, baseUrl: place.forgeUrl });
  const { owner, repo, number } = place.thread;
  const comments = await octokit.paginate(octokit.rest.issues.listComments, {
    ...{ owner, repo, issue_number: number, per_page: 100 },
  });
  return comments
    .filter(({ id }) => id > after)
    .map(({ id, user, body }) => ({ id, text: `@${user?.login ?? 'ghost'} says: ${body ?? ''}` }));
}

/** Milliseconds between two polls of the plain loop: three seconds by the fast clock. */
const pollMs = 3_000 / speed;

/** Polls the thread for as long as the process lives or until it is told to stop; every comment is handed over, and noted then. */
export function pollPlainly(
  place: Place,
  hand: (text: string) => Promise<void> | void,
): { readonly poll: () => Promise<number>; readonly stop: () => Promise<void> } {
  const last = keep<number>(place, 'last-comment.json');
  let turn: Promise<number> = Promise.resolve(0);
  let isOver = false;
  const take = async () => {
    const news = await listNewComments(place, { after: last.read() ?? 0 });
    for (const { id, text } of news) {
      await hand(text);
      await last.write(id);
    }
    return news.length;
  };
  const poll = () => {
    turn = turn.then(take);
    return turn;
  };
  const repeat = async () => {
    while (!isOver) {
      await wait(pollMs);
      if (!isOver) await poll();
    }
  };
  const repeated = repeat();
  return {
    poll,
    stop: async () => {
      isOver = true;
      await repeated;
    },
  };
}
