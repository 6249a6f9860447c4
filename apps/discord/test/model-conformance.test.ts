// @module-tag release
import { createModel as createLanguageModel, llmSchema } from '@agent/runner/models';
import { fromLanguageModel, type ReplyModel } from '@agent/runner/reply';
import {
  type ModelServer,
  type ModelServerRows,
  type RowKind,
  readServers,
  type ServerRow,
  startModelServer,
} from '@agent/simulators/model-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textsEn } from '../src/texts/texts.en.ts';
import { type Scene, startScene } from './bot/start-scene.ts';

const { fallback, cutOff, emptyAnswer } = textsEn;

/** What the bot posts for an answer that is none, by its kind. The bot has no tools, so that calls of tools are left out. */
const notices: Readonly<Partial<Record<RowKind, string>>> = {
  overflow: fallback['model-too-long'],
  'rate limit': fallback['model-busy'],
  'no credit': fallback['model-unusable'],
  'wrong key': fallback['model-unusable'],
};
const withoutCalls = ({ kind }: ServerRow): boolean => kind !== 'tool call' && kind !== 'parallel calls';

/** Beginning of what an answer says, and of the reasoning beside it; empty where there is none. */
function readAnswer({ text, contentType }: ServerRow): { readonly said: string; readonly reasoning: string } {
  if (contentType !== undefined) {
    const pieces = text.matchAll(/"content":"([^"]*)"/g);
    return { said: [...pieces].map(([, piece]) => piece).join(''), reasoning: '' };
  }
  const { message } = JSON.parse(text).choices[0];
  const parts = [message.content].flat().map((part) => part?.text ?? part);
  const said = parts.filter((part) => typeof part === 'string').join('');
  const reasoning = [message.reasoning_content, message.reasoning].find((one) => typeof one === 'string');
  return { said: said.startsWith('<think>') ? '' : said, reasoning: reasoning ?? '' };
}

function listExpected(row: ServerRow): readonly string[] {
  const { kind, status = 200, text, expected } = row;
  const notice = notices[kind];
  if (notice !== undefined) return [notice];
  if (expected === 'waits') return [fallback['model-busy']];
  if (kind === 'malformed') return [fallback[status === 200 ? 'model-unreadable' : 'model-status']];
  if (kind === 'refusal')
    return [status === 200 ? JSON.parse(text).choices[0].message.refusal : fallback['model-refused']];
  const begin = readAnswer(row).said.trim().slice(0, 40);
  if (begin === '') return [emptyAnswer];
  return kind === 'length limit' ? [begin, cutOff] : [begin];
}

describe('the bot', () => {
  let server: ModelServer;
  let scene: Scene;
  let model: ReplyModel;
  beforeAll(async () => {
    server = await startModelServer({ rows: [] });
    scene = await startScene({ model: { reply: (request, options) => model.reply(request, options) } });
  });
  afterAll(async () => {
    await scene[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  /** Asks the bot for one answer of a server, and lists what it posts. */
  async function ask({ id, rules }: ModelServerRows, row: ServerRow): Promise<readonly string[]> {
    server.serve({ rows: [row], rules });
    const llm = llmSchema.parse({ base_url: server.baseUrl, model: id, api: 'chat' });
    const created = await createLanguageModel(llm, { environment: {}, directory: '.' });
    model = fromLanguageModel(created.model);
    const { discord } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    const posted = await scene.answers(threadId, listExpected(row).length);
    return posted.map((text) => text.replaceAll(/[\u200b\u2060]/g, ''));
  }

  it.each(readServers().flatMap((rows) => rows.rows.filter(withoutCalls).map((row) => ({ rows, row }))))(
    'posts what the answer "$row.kind" of $rows.name means',
    async ({ rows, row }) => {
      const posted = await ask(rows, row);
      const [first, last] = listExpected(row);
      expect(posted[0]).toContain(first);
      if (last !== undefined) expect(posted.at(-1)).toBe(last);
      const { reasoning } = row.kind === 'reasoning' ? readAnswer(row) : { reasoning: '' };
      if (reasoning !== '') expect(posted.join('\n')).not.toContain(reasoning.slice(0, 40));
    },
  );
});
