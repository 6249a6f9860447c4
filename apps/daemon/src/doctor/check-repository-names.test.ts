import { createKnownRepositories } from '@agent/orchestrator';
import { createMemoryStorage } from '@agent/run-store/testing';
import { expect, it } from 'vitest';
import { checkRepositoryNames } from './check-settings.ts';
import type { Finding } from './finding.ts';
import { en } from './texts.en.ts';

it('doctor lists the repositories that wait for agent-daemon accept, and nothing else', async () => {
  const { notes } = createMemoryStorage();
  const known = createKnownRepositories(notes);
  const findings: Finding[] = [];
  const check = () =>
    checkRepositoryNames({ texts: en, report: (finding) => void findings.push(finding) }, { notes });
  await known.require({ host: 'github.com', path: 'acme/shop', id: '1' });
  await check();
  expect(findings).toEqual([]);
  await known.require({ host: 'github.com', path: 'acme/shop', id: '2' }).catch(() => undefined);
  await check();
  expect(findings).toMatchObject([
    {
      area: 'repositories',
      status: 'warning',
      fix: expect.stringContaining('agent-daemon accept acme/shop'),
    },
  ]);
});
