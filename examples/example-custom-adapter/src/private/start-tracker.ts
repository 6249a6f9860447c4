import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Comment {
  readonly id: string;
  readonly author: { readonly accountId: string; readonly displayName: string };
  body: string;
  readonly created: string;
  updated: string;
  properties: readonly { readonly key: string; readonly value: string }[];
}

/** An issue of the tracker, as people see it. */
export interface TrackerIssue {
  readonly key: string;
  readonly summary: string;
  readonly description: string;
  labels: readonly string[];
  readonly comments: Comment[];
}

interface Content {
  readonly body?: string;
  readonly properties?: Comment['properties'];
  readonly update?: { readonly labels: readonly { readonly add?: string; readonly remove?: string }[] };
}

const ann = { accountId: '5b10', displayName: 'ann' };
const agent = { accountId: '70121', displayName: 'agent' };

/** Starts a tracker on loopback that speaks the part of Jira's REST API (v2) that the adapter uses. */
export async function startTracker({ token }: { readonly token: string }) {
  const issues: TrackerIssue[] = [];
  const created = '2026-01-31T09:30:00.000+0000';
  const now = () => new Date().toISOString();
  const show = ({ key, comments, ...fields }: TrackerIssue) => ({
    key,
    fields: {
      ...fields,
      ...{ creator: ann, status: 'open', created, comments: comments.length },
      updated: comments.at(-1)?.updated ?? created,
    },
  });
  const answer = (method: string, path: string, content: Content): unknown => {
    if (path === '/myself') return agent;
    if (path === '/search') return { issues: issues.map(show) };
    const [, key, commentId] = /^\/issue\/([A-Z]+-\d+)(?:\/comment(?:\/(\d+))?)?$/u.exec(path) ?? [];
    const issue = issues.find((one) => one.key === key);
    if (issue === undefined) return undefined;
    const { body = '', properties = [], update } = content;
    if (method === 'PUT' && update !== undefined) {
      const removed = update.labels.map(({ remove }) => remove);
      const added = update.labels.flatMap(({ add }) => add ?? []);
      issue.labels = [...new Set([...issue.labels, ...added])].filter((label) => !removed.includes(label));
      return null;
    }
    if (!path.includes('/comment')) return show(issue);
    if (method === 'GET') return { comments: issue.comments };
    const written = issue.comments.find(({ id }) => id === commentId);
    if (written !== undefined) return Object.assign(written, { body, properties, updated: now() });
    const comment = {
      id: String(10_000 + issue.comments.length),
      author: agent,
      created: now(),
      updated: now(),
    };
    issue.comments.push({ ...comment, body, properties });
    return issue.comments.at(-1);
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    const content = request.method === 'GET' ? {} : ((await json(request)) as Content);
    const shown = isKnown
      ? answer(request.method ?? 'GET', pathname.replace('/rest/api/2', ''), content)
      : undefined;
    const status = isKnown ? (shown === undefined ? 404 : shown === null ? 204 : 200) : 401;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status === 204 ? undefined : JSON.stringify(shown ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    issues,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
