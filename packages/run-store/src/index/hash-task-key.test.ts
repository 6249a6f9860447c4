import { describe, expect, it } from 'vitest';
import { hashTaskKey } from './indexed-run.ts';

describe('the hash of a task key', () => {
  it('is the SHA-256 of its text, for each kind of thread another [CI-24] [CI-T2]', () => {
    expect(hashTaskKey('github_issue:octo:cat:42')).toBe(
      '3576f43e92686789e41d37d7fc87967ba1040d69754ae0bf61ca7792f54a818c',
    );
    const texts = [
      'github_issue:octo:cat:42',
      'github_pull_request:octo:cat:42',
      'gitlab_issue:7:42',
      'gitlab_merge_request:7:42',
    ];
    expect(new Set(texts.map(hashTaskKey)).size).toBe(4);
  });
});
