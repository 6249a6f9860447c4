import { execFileSync } from 'node:child_process';
import { parse } from 'yaml';
import { z } from 'zod';
import { listFiles, readCommit, readFile } from './git-copy.ts';
import { type RecordedAnswer, replayAnswers } from './replay-answers.ts';
import type { TriedCorpus } from './tried-corpus.ts';

const interaction = z.object({
  request: z.object({ method: z.string(), uri: z.string(), parsed_body: z.unknown().optional() }),
  response: z.object({
    status: z.object({ code: z.number() }),
    parsed_body: z.unknown().optional(),
    body: z.object({ string: z.unknown() }).nullish(),
  }),
});
const cassette = z.object({ interactions: z.array(z.unknown()) });
const endpoint = /^(?:https?:\/\/)[^?#]*\/(chat\/completions|responses)(?:[?#].*)?$/;

/** Replays each recorded answer of an OpenAI-compatible endpoint in the cassettes of pydantic-ai. */
export async function replayCassettes(copy: string): Promise<TriedCorpus> {
  const answers: RecordedAnswer[] = [];
  let streams = 0;
  for (const file of listCassettes(copy)) {
    const { interactions } = cassette.parse(parse(readFile(copy, file), { maxAliasCount: -1 }));
    for (const [index, one] of interactions.entries()) {
      const read = interaction.safeParse(one).data;
      const [, path] = endpoint.exec(read?.request.uri ?? '') ?? [];
      if (read === undefined || read.request.method !== 'POST' || path === undefined) continue;
      const { status, parsed_body: parsed, body } = read.response;
      const text = parsed === undefined ? body?.string : JSON.stringify(parsed);
      const { stream, tools } = requestBody.parse(read.request.parsed_body ?? {});
      if (stream === true && status.code < 400) streams += 1;
      else if (typeof text === 'string')
        answers.push({
          id: `${file.split('/').slice(-2).join('/')}#${index}`,
          api: path === 'responses' ? 'responses' : 'chat',
          status: status.code,
          text,
          tools: listNames(tools),
        });
    }
  }
  return {
    name: 'pydantic-ai, recorded answers',
    commit: readCommit(copy),
    cases: answers.length,
    notes: [describe(answers), `${streams} streams were left out`],
    failures: await replayAnswers(answers),
  };
}

const toolName = z
  .object({ name: z.string().optional(), function: z.object({ name: z.string() }).optional() })
  .catch({});
const requestBody = z
  .object({ stream: z.boolean().nullish(), tools: z.array(toolName).nullish() })
  .catch({ stream: false, tools: [] });

function listNames(tools: z.infer<typeof requestBody>['tools']): readonly string[] {
  return (tools ?? []).flatMap((one) => one.function?.name ?? one.name ?? []);
}

function listCassettes(copy: string): readonly string[] {
  const args = [
    '--git-dir',
    copy,
    'grep',
    '-l',
    '-E',
    'uri: .*(chat/completions|/responses)',
    'HEAD',
    '--',
    '*cassettes*',
  ];
  const found = execFileSync('git', args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  });
  return found
    .toString()
    .split('\n')
    .filter((line) => line.endsWith('.yaml'))
    .map((line) => line.replace(/^HEAD:/, ''));
}

function describe(answers: readonly RecordedAnswer[]): string {
  const chat = answers.filter(({ api }) => api === 'chat').length;
  const errors = answers.filter(({ status }) => status >= 400).length;
  return `${chat} of /chat/completions, ${answers.length - chat} of /responses, ${errors} of them errors`;
}

/** Replays each whole answer of an OpenAI-compatible endpoint in the fixtures of the AI SDK. */
export async function replayFixtures(copy: string): Promise<TriedCorpus> {
  const files = listFiles(copy, 'packages/').filter(
    (file) => isFixture.test(file) && !otherVendors.test(file),
  );
  const answers = files.flatMap((file): readonly RecordedAnswer[] => {
    const text = readFile(copy, file);
    const body = fixture.safeParse(JSON.parse(text)).data;
    if (body === undefined) return [];
    const isChat = Array.isArray(body.choices) && body.object !== 'text_completion';
    const isResponse = Array.isArray(body.output) && body.object === 'response' && !isContinued(body);
    if (!isChat && !isResponse) return [];
    const id = file.split('/').at(-1) ?? file;
    return [{ id, api: isChat ? 'chat' : 'responses', status: 200, text, tools: [] }];
  });
  return {
    name: 'AI SDK, fixtures',
    commit: readCommit(copy),
    cases: answers.length,
    notes: [describe(answers)],
    failures: await replayAnswers(answers),
  };
}

const items = z.object({
  output: z.array(z.looseObject({ type: z.string(), call_id: z.string().optional() })),
});

/** Tells whether an answer holds the result of a call in an earlier answer, which a single request cannot continue. */
function isContinued(body: unknown): boolean {
  const output = items.safeParse(body).data?.output ?? [];
  const isResult = ({ type }: { readonly type: string }) => type.endsWith('_output');
  const made = new Set(output.filter((one) => !isResult(one)).map(({ call_id: id }) => id));
  return output.some((one) => isResult(one) && !made.has(one.call_id));
}

/** Vendors whose endpoints have a form of their own. */
const otherVendors = /^packages\/(?:amazon-bedrock|anthropic|cohere|google)/;
const isFixture = /\/__fixtures__\/[^/]*\.json$/;
const fixture = z.looseObject({});
