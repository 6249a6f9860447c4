import { repository } from '../support/forge.ts';
import type { GitHubForge } from '../support/github-forge.ts';
import type { GitLabForge } from '../support/gitlab-forge.ts';

interface Person {
  readonly forge: GitHubForge | GitLabForge;
  readonly fetch: typeof globalThis.fetch;
}

type Step = readonly [request: string, body?: object];

const title = 'Agent rehearsal';

const deleteIssue = 'mutation ($id: ID!) { deleteIssue(input: { issueId: $id }) { clientMutationId } }';

/** Steps of the person on GitHub. `{issue}` and `{comment}` stand for what the steps before have made. */
const onGitHub: readonly Step[] = [
  ['GET /user'],
  ['GET /rate_limit'],
  [`GET /repos/${repository}`],
  ['GET /repos/acme/missing'],
  [`POST /repos/${repository}/labels`, { name: 'rehearsal', color: '1d76db' }],
  [`POST /repos/${repository}/labels`, { name: 'rehearsal', color: '1d76db' }],
  [`POST /repos/${repository}/issues`, { title, body: 'Rehearse.' }],
  [`GET /repos/${repository}/issues/{issue}`],
  [`GET /repos/${repository}/issues?per_page=1&state=all`],
  [`POST /repos/${repository}/issues/{issue}/labels`, { labels: ['rehearsal'] }],
  [`GET /repos/${repository}/issues/{issue}/labels`],
  [`PATCH /repos/${repository}/issues/{issue}`, { body: 'Rehearse it.' }],
  [`POST /repos/${repository}/issues/{issue}/assignees`, { assignees: ['robot'] }],
  [`POST /repos/${repository}/issues/{issue}/comments`, { body: 'Please.' }],
  [`POST /repos/${repository}/issues/{issue}/comments`, { body: 'Soon.' }],
  [`GET /repos/${repository}/issues/{issue}/comments?per_page=1`],
  [`GET /repos/${repository}/issues/{issue}/comments?per_page=100`],
  [`PATCH /repos/${repository}/issues/comments/{comment}`, { body: 'At once.' }],
  [`GET /repos/${repository}/issues/comments/{comment}`],
  [`POST /repos/${repository}/issues/comments/{comment}/reactions`, { content: '+1' }],
  [`GET /repos/${repository}/issues/comments/{comment}/reactions`],
  [`DELETE /repos/${repository}/issues/comments/{comment}`],
  [`GET /repos/${repository}/issues/comments/{comment}`],
  [`GET /repos/${repository}/pulls?state=all&per_page=1`],
  [`POST /repos/${repository}/pulls/{pull}/reviews`, { event: 'COMMENT', body: 'Why?' }],
  [`GET /repos/${repository}/pulls/{pull}/reviews`],
  [`GET /repos/${repository}/pulls/{pull}`],
  [
    `POST /repos/${repository}/pulls/{pull}/comments`,
    { body: 'Why?', commit_id: '{head}', path: 'total.js', line: 1, side: 'RIGHT' },
  ],
  [`PATCH /repos/${repository}/pulls/{pull}`, { state: 'closed' }],
  [`GET /repos/${repository}/pulls/{pull}/files?per_page=100`],
  [`GET /repos/${repository}/pulls/{pull}/comments?per_page=100`],
  [`DELETE /repos/${repository}/pulls/comments/{line}`],
  [`PATCH /repos/${repository}/issues/{issue}`, { state: 'closed' }],
  ['POST /graphql', { query: deleteIssue, variables: { id: '{node}' } }],
  [`DELETE /repos/${repository}/issues/{issue}/labels/rehearsal`],
  [`GET /repos/${repository}/labels/rehearsal`],
  [`DELETE /repos/${repository}/labels/rehearsal`],
  [`DELETE /repos/${repository}/labels/rehearsal`],
  [`GET /repos/${repository}/branches`],
  [`GET /repos/${repository}/git/ref/heads/fix`],
  [`DELETE /repos/${repository}/git/refs/heads/fix`],
  [`DELETE /repos/${repository}/git/refs/heads/fix`],
];

const project = '/projects/acme%2Fshop';

/** Steps of the person on GitLab. */
const onGitLab: readonly Step[] = [
  ['GET /user'],
  ['GET /version'],
  [`GET ${project}`],
  ['GET /projects/acme%2Fmissing'],
  [`POST ${project}/labels`, { name: 'rehearsal', color: '#1d76db' }],
  [`POST ${project}/labels`, { name: 'rehearsal', color: '#1d76db' }],
  [`POST ${project}/issues`, { title, description: 'Rehearse.' }],
  [`GET ${project}/issues/{issue}`],
  [`GET ${project}/issues?per_page=1`],
  [`PUT ${project}/issues/{issue}`, { add_labels: 'rehearsal' }],
  [`POST ${project}/issues/{issue}/notes`, { body: 'Please.' }],
  [`POST ${project}/issues/{issue}/notes`, { body: 'Soon.' }],
  [`GET ${project}/issues/{issue}/notes?per_page=1`],
  [`GET ${project}/issues/{issue}/notes?per_page=100`],
  [`PUT ${project}/issues/{issue}/notes/{comment}`, { body: 'At once.' }],
  [`GET ${project}/issues/{issue}/notes/{comment}`],
  [`POST ${project}/issues/{issue}/notes/{comment}/award_emoji`, { name: 'thumbsup' }],
  [`GET ${project}/issues/{issue}/notes/{comment}/award_emoji`],
  [`DELETE ${project}/issues/{issue}/notes/{comment}`],
  [`GET ${project}/issues/{issue}/notes/{comment}`],
  [`GET ${project}/merge_requests?state=all&per_page=1`],
  [`POST ${project}/merge_requests/{pull}/notes`, { body: 'Why?' }],
  [`POST ${project}/merge_requests/{pull}/discussions`, { body: 'Why?' }],
  [`GET ${project}/merge_requests/{pull}/discussions`],
  [`GET ${project}/merge_requests/{pull}/discussions/{alone}`],
  [`GET ${project}/merge_requests/{pull}`],
  [`GET ${project}/merge_requests/{pull}/diffs?per_page=100`],
  [
    `POST ${project}/merge_requests/{pull}/discussions`,
    {
      body: 'Why?',
      position: {
        ...{
          position_type: 'text',
          base_sha: '{base_sha}',
          start_sha: '{start_sha}',
          head_sha: '{head_sha}',
        },
        ...{ old_path: 'total.js', new_path: 'total.js', new_line: 1 },
      },
    },
  ],
  [`PUT ${project}/merge_requests/{pull}`, { state_event: 'close' }],
  [`DELETE ${project}/merge_requests/{pull}`],
  [`PUT ${project}/issues/{issue}`, { state_event: 'close' }],
  [`DELETE ${project}/issues/{issue}`],
  [`DELETE ${project}/labels/rehearsal`],
  [`DELETE ${project}/labels/rehearsal`],
  [`GET ${project}/repository/branches`],
  [`GET ${project}/repository/branches/fix`],
  [`DELETE ${project}/repository/branches/fix`],
  [`DELETE ${project}/repository/branches/fix`],
];

/** Sends the requests that a person of a rehearsal sends, as alice. */
export async function actAsPerson({ forge, fetch }: Person): Promise<void> {
  const isGitHub = forge.name === 'github';
  const token = isGitHub ? 'ghp_ThisIsTheTokenOfAliceInTests00001' : 'glpat-ThisIsTheTokenOfAlice01';
  if (forge.name === 'github') (forge as GitHubForge).simulator.addToken({ token, login: 'alice' });
  else (forge as GitLabForge).simulator.addToken({ token, username: 'alice' });
  const root = isGitHub ? forge.url : `${forge.url}/api/v4`;
  const made: Record<string, string> = { pull: String(forge.changeRequests()[0]?.number ?? '') };
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? '');
  for (const [request, body] of isGitHub ? onGitHub : onGitLab) {
    const [method = '', path = ''] = fill(request).split(' ');
    const response = await fetch(root + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: fill(JSON.stringify(body)) }),
    });
    const text = await response.text();
    if (path.endsWith('/discussions') && text.startsWith('['))
      made.alone = (JSON.parse(text) as Discussion[]).find((one) => one.individual_note)?.id ?? '';
    if (response.ok && text.startsWith('{') && !path.includes('?'))
      remember(made, { method, path, answer: JSON.parse(text) });
  }
}

interface Discussion {
  readonly id: string;
  readonly individual_note: boolean;
}

interface Made {
  readonly id?: number;
  readonly number?: number;
  readonly iid?: number;
  readonly node_id?: string;
  readonly head?: { readonly sha: string };
  readonly diff_refs?: Readonly<Record<string, string>>;
}

function remember(
  made: Record<string, string>,
  { method, path, answer }: { readonly method: string; readonly path: string; readonly answer: Made },
): void {
  const { id, number, iid, node_id: node = '', head, diff_refs: refs } = answer;
  if (head !== undefined) made.head = head.sha;
  Object.assign(made, refs);
  if (method !== 'POST') return;
  if (/\/issues$/.test(path)) Object.assign(made, { issue: String(number ?? iid), node });
  if (/\/issues\/\d+\/(?:comments|notes)$/.test(path)) made.comment = String(id);
  if (/\/pulls\/\d+\/comments$/.test(path)) made.line = String(id);
}
