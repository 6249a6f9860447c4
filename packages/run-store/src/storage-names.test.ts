import { describe, expect, it } from 'vitest';
import { hashTaskKey } from './storage-names.ts';

describe('the hash of a task key', () => {
  // From `printf %s TEXT | sha256sum`.
  it.each([
    ['github_issue:octo:cat:42', '3576f43e92686789e41d37d7fc87967ba1040d69754ae0bf61ca7792f54a818c'],
    ['github_pull_request:octo:cat:42', 'b1e7c46b2b49fa35ea0fc574de10856ac66897a7854297a9411206e57b9a5a51'],
    ['gitlab_issue:7:42', 'e6d2214211ad8c76d6feac1e98e5f669452818ed5fa0eaf360350290ee7491b4'],
    ['gitlab_merge_request:7:42', '80df0353faf867c06f586946b85d2fe5ae2f928876b3a7dca07afafc3734ef2c'],
    ['github_issue:Octo:Cat:42', '328ef0ce5fc73bf7fe8ab7cfdca0bab1762715a2c65e6088003f05e5c1c600a9'],
  ])('is the SHA-256 of its text as it is written: %s [CI-24, CI-T2, C7]', (text, hash) => {
    expect(hashTaskKey(text)).toBe(hash);
  });
});
