import type { WorldSeed } from '../world/world-seed.ts';

const files = {
  'README.md': '# shop\n',
  'sum.js': 'export const sum = (one, other) => one - other;\n',
};
const issue = { title: 'The sum is wrong', labels: ['bug'] };
const words = 'sum(1, 2) is -1. It should be 3.';

/** World that is there where nobody gives a seed: alice, her repository, one issue, and the token `example-token`. */
export const exampleWorld = {
  github: {
    users: ['alice', { login: 'robot', type: 'Bot' }],
    tokens: [{ token: 'example-token', login: 'alice' }],
    repositories: [{ owner: 'alice', name: 'shop', files, collaborators: { robot: 'write' } }],
    issues: [{ ...issue, repo: 'alice/shop', author: 'alice', body: words }],
  },
  gitlab: {
    users: ['alice', { username: 'robot', bot: true }],
    tokens: [{ token: 'example-token', username: 'alice' }],
    projects: [{ path: 'alice/shop', files, members: { robot: 'developer' } }],
    issues: [{ ...issue, project: 'alice/shop', author: 'alice', description: words }],
  },
  discord: { messages: [{ author: 'alice', text: 'Hello.' }] },
  model: {},
} satisfies WorldSeed;
