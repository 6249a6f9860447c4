import type { RepositoryCheck } from '@agent/rehearsal';
import type { ProxyAnswer, ProxyHandler } from '@agent/simulators/trials';
import type { ForgeName } from '../support/forge.ts';
import { type RehearsalFixture, type RehearsalFixtureOptions, repository } from './rehearsal-fixture.ts';

/** Difference between a real platform and the simulator, and the check that finds it. */
export interface SeededDifference {
  readonly name: string;
  readonly forge: ForgeName;
  /** Check that fails. */
  readonly check: RepositoryCheck;
  /** Words of its sentence or its instruction. */
  readonly says: RegExp;
  readonly fixture?: Omit<RehearsalFixtureOptions, 'forge'>;
  readonly prepare?: (fixture: RehearsalFixture) => unknown;
}

const refuse = (status: number, message: string): ProxyAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from(JSON.stringify({ message })),
});

/** Answers requests of this method and path with a refusal, if their body contains the text. */
const refusing =
  (method: string, path: RegExp, answer: ProxyAnswer, text = ''): ProxyHandler =>
  async (exchange) => {
    const isIt = exchange.method === method && path.test(exchange.path) && exchange.body.includes(text);
    return isIt ? answer : exchange.forward();
  };

const rewriting =
  (path: RegExp, rewrite: (answer: ProxyAnswer) => ProxyAnswer): ProxyHandler =>
  async ({ method, path: given, forward }) => {
    const answer = await forward();
    return method === 'GET' && path.test(given) ? rewrite(answer) : answer;
  };

const withoutHeader =
  (name: string) =>
  ({ headers: { [name]: _, ...headers }, ...answer }: ProxyAnswer): ProxyAnswer => ({ ...answer, headers });

const notAccessible = refuse(403, 'Resource not accessible by personal access token');
const gitHubComments = /\/issues\/(?:\d+\/)?comments/;

/** Lists without what users wrote in the last seconds, as a replica that lags answers. */
function withoutYoung(answer: ProxyAnswer): ProxyAnswer {
  if (answer.status !== 200) return answer;
  const list: unknown = JSON.parse(answer.body.toString());
  if (!Array.isArray(list)) return answer;
  const old = (list as readonly { readonly created_at: string; readonly user: { login: string } }[]).filter(
    ({ created_at: at, user }) => user.login === 'robot' || Date.parse(at) < Date.now() - 3_500,
  );
  return { ...withoutHeader('etag')(answer), body: Buffer.from(JSON.stringify(old)) };
}

/** Lists without commands to stop of the last half minute. */
function withoutYoungStops(answer: ProxyAnswer): ProxyAnswer {
  const text = answer.body.toString();
  if (answer.status !== 200 || !text.startsWith('[')) return answer;
  const list = JSON.parse(text) as readonly { readonly created_at: string; readonly body: string }[];
  const shown = list.filter(
    ({ body, created_at: at }) => body !== '/stop' || Date.parse(at) < Date.now() - 30_000,
  );
  return shown.length === list.length
    ? answer
    : { ...withoutHeader('etag')(answer), body: Buffer.from(JSON.stringify(shown)) };
}

/** Lists whose entries never change their time. */
function withoutUpdates(answer: ProxyAnswer): ProxyAnswer {
  const text = answer.body.toString();
  if (answer.status !== 200 || !text.startsWith('[')) return answer;
  const list = JSON.parse(text) as readonly { readonly created_at: string }[];
  const body = Buffer.from(JSON.stringify(list.map((one) => ({ ...one, updated_at: one.created_at }))));
  return { ...answer, body };
}

export const seededDifferences: readonly SeededDifference[] = [
  {
    name: 'the token of the agent cannot write issues',
    forge: 'github',
    check: 'access',
    says: /issues/i,
    fixture: { environment: { GITHUB_TOKEN: 'ghp_readonlyreadonlyreadonly' } },
    prepare: ({ forge }) => forge.addWeakToken(),
  },
  {
    name: 'the repository is archived',
    forge: 'github',
    check: 'access',
    says: /archived/i,
    prepare: ({ forge }) =>
      'changeRepository' in forge.simulator &&
      forge.simulator.changeRepository(repository, { archived: true }),
  },
  {
    name: 'the model calls no tools',
    forge: 'github',
    check: 'model',
    says: /tool/i,
    fixture: { createScript: () => () => ({ text: 'I cannot call tools.' }) },
  },
  {
    name: 'the second account cannot write',
    forge: 'gitlab',
    check: 'person',
    says: /write/i,
    fixture: { environment: { PERSON_TOKEN: 'glpat-ThisIsBobsTokenInTests0000001' } },
    prepare: ({ forge }) =>
      'note' in forge.simulator &&
      forge.simulator.addToken({ token: 'glpat-ThisIsBobsTokenInTests0000001', username: 'bob' }),
  },
  {
    name: 'the second token is that of the agent',
    forge: 'github',
    check: 'person',
    says: /@robot/,
    fixture: { environment: { PERSON_TOKEN: 'ghp_ThisIsTheTokenOfTheRobotInTests0001' } },
  },
  {
    name: 'another rehearsal is open',
    forge: 'github',
    check: 'single',
    says: /\/issues\/1/,
    prepare: ({ forge }) =>
      forge.openIssue({ title: 'Agent rehearsal', body: null, labels: ['agent rehearsal open'] }),
  },
  {
    name: 'the agent cannot create labels',
    forge: 'github',
    check: 'labels',
    says: /403.*permission/s,
    fixture: { handle: refusing('POST', /\/labels$/, notAccessible, 'agent rehearsal open') },
  },
  {
    name: 'the account that adds the label is not trusted',
    forge: 'github',
    check: 'start',
    says: /trust/i,
    fixture: { config: { trust: ['bob'] } },
  },
  {
    name: 'new comments are listed late',
    forge: 'github',
    check: 'fresh-list',
    says: /delay/,
    fixture: { handle: rewriting(gitHubComments, withoutYoung) },
  },
  {
    name: 'the agent cannot add reactions',
    forge: 'github',
    check: 'reaction',
    says: /permission/,
    fixture: { handle: refusing('POST', /\/reactions/, notAccessible) },
  },
  {
    name: 'an edit changes no time',
    forge: 'github',
    check: 'edit',
    says: /updated_at/,
    fixture: { handle: rewriting(gitHubComments, withoutUpdates) },
  },
  {
    name: 'a deleted comment stays in lists',
    forge: 'gitlab',
    check: 'deletion',
    says: /still listed/,
    fixture: {
      handle: refusing('DELETE', /\/notes\/\d+$/, { status: 204, headers: {}, body: Buffer.alloc(0) }),
    },
  },
  {
    name: 'lists have no Link header',
    forge: 'github',
    check: 'pages',
    says: /Link/,
    fixture: { handle: rewriting(/./, withoutHeader('link')) },
  },
  {
    name: 'conditional requests are answered in full',
    forge: 'github',
    check: 'conditional',
    says: /304/,
    fixture: {
      handle: ({ headers, forward }) => {
        delete headers['if-none-match'];
        return forward();
      },
    },
  },
  {
    name: 'the clock of the server is wrong',
    forge: 'gitlab',
    check: 'clock',
    says: /NTP/,
    fixture: {
      handle: rewriting(/\/notes/, (answer) => ({
        ...answer,
        headers: { ...answer.headers, date: new Date(Date.now() - 300_000).toUTCString() },
      })),
    },
  },
  {
    name: 'a pull request is refused with 422',
    forge: 'github',
    check: 'draft',
    says: /draft/i,
    fixture: {
      handle: refusing('POST', /\/pulls$/, refuse(422, 'Validation Failed')),
    },
  },
  {
    name: 'a rule protects all branches',
    forge: 'github',
    check: 'draft',
    says: /branch/i,
    prepare: ({ forge }) =>
      'setRuleset' in forge.simulator &&
      forge.simulator.setRuleset(repository, { branches: '*/*', rules: ['Cannot create ref'] }),
  },
  {
    name: 'the agent cannot answer reviews',
    forge: 'github',
    check: 'review',
    says: /pull requests/,
    fixture: { handle: refusing('POST', /\/pulls\/\d+\/comments\/\d+\/replies/, notAccessible) },
  },
  {
    name: 'a stop arrives late',
    forge: 'github',
    check: 'stop',
    says: /only .*delay/,
    fixture: { handle: rewriting(gitHubComments, withoutYoungStops) },
  },
  {
    name: 'the webhook does not arrive',
    forge: 'github',
    check: 'webhook',
    says: /address/,
    fixture: {
      config: { http: { port: 0 } },
      environment: { GITHUB_WEBHOOK_SECRET: 'a secret of the webhook 0001' },
    },
  },
];
