import { describe, expect, it } from 'vitest';
import { parseThreadName } from './thread-name.ts';

const gitHub = { host: 'github.com', path: 'octo/hello', number: 4 };
const gitLab = { host: 'gitlab.example.com:8443', path: 'group/sub/project', number: 4 };

describe('parseThreadName', () => {
  it.each([
    ['https://github.com/octo/hello/issues/4', { ...gitHub, kind: 'issue' }],
    ['https://github.com/octo/hello/pull/4', { ...gitHub, kind: 'change-request' }],
    ['https://github.com/octo/hello/pull/4/files?w=1#diff', { ...gitHub, kind: 'change-request' }],
    [
      'https://github.com/octo/issues/issues/4#issuecomment-9',
      { ...gitHub, path: 'octo/issues', kind: 'issue' },
    ],
    ['https://gitlab.example.com:8443/group/sub/project/-/issues/4', { ...gitLab, kind: 'issue' }],
    ['https://gitlab.example.com:8443/group/sub/project/-/work_items/4', { ...gitLab, kind: 'issue' }],
    [
      'https://gitlab.example.com:8443/group/sub/project/-/merge_requests/4/diffs',
      { ...gitLab, kind: 'change-request' },
    ],
    ['octo/hello#4', { ...gitHub, host: null, kind: null }],
    [' group/sub/project!4 ', { ...gitLab, host: null, kind: 'change-request' }],
  ])('reads %s', (text, name) => {
    expect(parseThreadName(text)).toEqual(name);
  });

  it.each([
    '',
    '42',
    '#42',
    'hello#42',
    'octo/hello',
    'octo/hello#0',
    'octo/hello#99999999999999999999',
    '/octo#4',
    'https://github.com/octo/hello',
    'https://github.com/octo/hello/issues',
    'https://github.com/octo/issues/4',
    'https://github.com/octo/%zz/issues/4',
    'https://github.com/octo/a%2Fb/issues/4',
    'ftp://github.com/octo/hello/issues/4',
    'github_issue:octo:hello:4',
  ])('reads no thread in %j', (text) => {
    expect(parseThreadName(text)).toBeNull();
  });
});
