import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config/load-config.ts';
import { checkPlanning } from './check-settings.ts';
import type { Finding } from './finding.ts';
import { en } from './texts.en.ts';

const platforms = 'platforms: { github: { repositories: [acme/shop] } }\n';

function examine(text: string, environment: Readonly<Record<string, string>> = {}): readonly Finding[] {
  const findings: Finding[] = [];
  const report = (finding: Finding) => void findings.push(finding);
  const { planning } = parseConfig(platforms + text, 'test');
  checkPlanning({ texts: en, report }, { planning, environment });
  return findings;
}

describe('doctor, of pre-planning', () => {
  it.each([
    ['', {}, 'off (there is no section planning)'],
    ['planning:\n#  enabled: true\n', {}, 'on (planning decides that)'],
    ['planning: { enabled: false }', { PRE_PLANNING_ENABLED: 'true' }, 'off (planning.enabled decides that)'],
    [
      'planning: { pre_planning: { enabled: false } }',
      {},
      'off (planning.pre_planning.enabled decides that)',
    ],
    ['', { PRE_PLANNING_ENABLED: 'yes' }, 'on (PRE_PLANNING_ENABLED decides that)'],
    ['planning: {}', { PRE_PLANNING_ENABLED: '0' }, 'off (PRE_PLANNING_ENABLED decides that)'],
  ])('says whether it is on, and why: %j with %j [PP-35, PP-45]', (text, environment, said) => {
    expect(examine(text, environment)).toMatchObject([{ status: 'ok', text: said }]);
  });

  it('names variables that are of no use, and what decides in their place [PP-45, PP-46]', () => {
    const environment = { PRE_PLANNING_ENABLED: 'perhaps', PRE_PLANNING_CONFIDENCE_THRESHOLD: '7' };
    expect(examine('planning: {}', environment)).toMatchObject([
      { status: 'ok', text: 'on (planning decides that)' },
      { status: 'warning', text: expect.stringContaining('PRE_PLANNING_ENABLED') },
      { status: 'warning', text: expect.stringContaining('PRE_PLANNING_CONFIDENCE_THRESHOLD') },
    ]);
    expect(examine('', environment)[0]?.text).toBe('off (there is no section planning)');
  });
});
