import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  createRecordingFetch,
  type ModelAnswer,
  type Reference,
  type Rehearsal,
  type Shape,
  type ShapeLine,
  toBodyShape,
  toReference,
  writeRehearsal,
} from '@agent/rehearsal/shapes';
import { readServers } from '@agent/simulators/model-servers';
import { playModel } from './play-model.ts';
import { startPlayedPlatform } from './play-platform.ts';

/** Content of the files in `packages/rehearsal/src/shapes/fixtures`, by name. */
export interface RecordedFixtures {
  readonly references: readonly Reference[];
  readonly 'model-answers': readonly ModelAnswer[];
  readonly 'model-servers': readonly { readonly id: string; readonly hosts: string }[];
  readonly 'known-keys': Readonly<Record<'github' | 'gitlab' | 'model', readonly string[]>>;
}

/** Nothing here is anybody's own: every key of a plain form is a field. */
const isField = (key: string): boolean => /^(?:[A-Za-z_]\w*|[+-]1)$/.test(key);

/** Records what the simulators and the matrix of model servers answer. */
export async function recordFixtures(): Promise<RecordedFixtures> {
  const lines: ShapeLine[] = [];
  const pending: Promise<unknown>[] = [];
  const fetch = createRecordingFetch({
    ...{ fetch: globalThis.fetch, source: 'daemon', now: () => 0, isKnown: () => isField },
    write: (line) => lines.push(line),
    onPending: (work) => pending.push(work),
  });
  for (const name of ['github', 'gitlab'] as const) {
    const { forge, play } = await startPlayedPlatform(name, fetch);
    await play().finally(forge.shutDown);
  }
  await playModel(fetch);
  await Promise.all(pending);
  const { exchanges } = JSON.parse(writeRehearsal({ lines, checks: [], versions: {} })) as Rehearsal;
  const answers = recordModelAnswers();
  return {
    references: exchanges.flatMap(toReference),
    'model-answers': answers,
    'model-servers': readServers().map(({ id, baseUrl }) => ({ id, hosts: toHosts(baseUrl) })),
    'known-keys': collectKeys(lines, answers),
  };
}

/** Each known answer of the matrix, and the assumed ones once. */
function recordModelAnswers(): readonly ModelAnswer[] {
  const servers = readServers();
  const toAnswer = (server: string | null, row: (typeof servers)[number]['rows'][number]): ModelAnswer => ({
    ...{ server, kind: row.kind, status: row.status ?? 200 },
    answer: toBodyShape({ text: row.text, contentType: row.contentType ?? 'application/json' }, isField),
  });
  const known = servers.flatMap(({ id, rows }) =>
    rows.filter(({ source }) => source !== null).map((row) => toAnswer(id, row)),
  );
  const assumed = servers.flatMap(({ rows }) => rows.filter(({ source }) => source === null));
  const ofKind = new Map(assumed.map((row) => [row.kind, row]));
  return [...known, ...[...ofKind.values()].map((row) => toAnswer(null, row))];
}

function toHosts(baseUrl: string): string {
  const { host } = new URL(baseUrl.replace(/NAME|ACCOUNT/, 'name-of-account'));
  return host.replaceAll('.', '\\.').replace('name-of-account', '[^.]+');
}

function collectKeys(
  lines: readonly ShapeLine[],
  answers: readonly ModelAnswer[],
): RecordedFixtures['known-keys'] {
  const keysOf = (service: string): readonly string[] =>
    lines
      .filter((line) => line.service === service)
      .flatMap(({ request, answer, query }) => [...listKeys(request), ...listKeys(answer), ...query]);
  return {
    github: sorted([...keysOf('github'), ...readFields('@octokit/openapi-types', 'types.d.ts')]),
    gitlab: sorted([...keysOf('gitlab'), ...readFields('@gitbeaker/core', 'dist/index.d.ts')]),
    model: sorted([...keysOf('model'), ...answers.flatMap(({ answer }) => listKeys(answer)), ...modelKeys]),
  };
}

/** Further fields of the APIs of models, most of them of requests. */
const modelKeys =
  'audio background cache_control cached_tokens citations content_filter_results conversation dimensions frequency_penalty include instructions json_schema logprobs max_completion_tokens max_output_tokens max_tokens max_tool_calls min_p moderation n parallel_tool_calls prediction presence_penalty previous_response_id prompt_cache_key prompt_cache_retention prompt_filter_results provider reasoning reasoning_content reasoning_details reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options strict summary system temperature text thinking thinking_budget thought_signature tool_choice tool_resources top_k top_logprobs top_p truncation user verbosity'.split(
    ' ',
  );

function listKeys(shape: Shape | null): readonly string[] {
  return Object.keys(shape ?? {}).flatMap((path) => path.replaceAll('[]', '').split('.').slice(1));
}

/** Reads the names of the fields in type declarations of an API, as `@agent/simulators` has installed them. */
function readFields(name: string, file: string): readonly string[] {
  const require = createRequire(new URL('../../../../packages/simulators/package.json', import.meta.url));
  const text = readFileSync(join(findPackage(require, name), file), 'utf8');
  return [...text.matchAll(/^\s+(?:readonly )?"?([a-z_]\w{0,59}|[+-]1)"?\??:/gm)].map(
    ([, field = '']) => field,
  );
}

function findPackage(require: NodeJS.Require, name: string): string {
  const found = require.resolve
    .paths(name)
    ?.map((path) => join(path, name))
    .find((path) => existsSync(join(path, 'package.json')));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

function sorted(keys: readonly string[]): readonly string[] {
  return [...new Set(keys)].filter((key) => key !== '?' && isField(key)).sort();
}
