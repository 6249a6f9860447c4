import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config/load-config.ts';
import { checkPlanning, reportRetention } from './check-settings.ts';
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

const [off, on] = ['planning.enabled', 'PLANNING_ENABLED'];

describe('doctor, of planning', () => {
  it.each([
    ['planning:\n#  enabled: true\n', {}, ['on', off], ['on', off]],
    ['planning: { enabled: false }', {}, ['off', off], ['off', off]],
    [
      'planning: { enabled: false }',
      { PRE_PLANNING_ENABLED: 'true' },
      ['off', off],
      ['on', 'PRE_PLANNING_ENABLED'],
    ],
    [
      'planning: { pre_planning: { enabled: false } }',
      {},
      ['on', off],
      ['off', 'planning.pre_planning.enabled'],
    ],
    ['planning: { enabled: false }', { PLANNING_ENABLED: 'yes' }, ['on', on], ['on', on]],
    ['planning: {}', { PRE_PLANNING_ENABLED: '0' }, ['on', off], ['off', 'PRE_PLANNING_ENABLED']],
  ])('says whether it is on, and why: %j with %j [PP-35, PP-45]', (text, environment, mode, before) => {
    expect(examine(text, environment)).toMatchObject([
      { status: 'ok', text: `planning mode is ${mode[0]} (set by ${mode[1]})` },
      { status: 'ok', text: `pre-planning is ${before[0]} (set by ${before[1]})` },
    ]);
  });

  it('names variables that are of no use, and what decides in their place [PP-45, PP-46]', () => {
    const environment = { REFLECTION_INTERVAL: '-1', PRE_PLANNING_ENABLED: 'perhaps' };
    expect(examine('planning: {}', environment)).toMatchObject([
      { text: 'planning mode is on (set by planning.enabled)' },
      { text: 'pre-planning is on (set by planning.enabled)' },
      { status: 'warning', text: expect.stringContaining('REFLECTION_INTERVAL') },
      { status: 'warning', text: expect.stringContaining('PRE_PLANNING_ENABLED') },
    ]);
  });
});

describe('doctor, of retention', () => {
  it.each([
    ['', 90, 'context_inheritance.context_expiry_days'],
    ['context_storage: { retention_days: 365 }', 365, 'context_storage.retention_days'],
  ])('shows after how many days data is deleted, and the setting: %j [X8]', (text, days, setting) => {
    const findings: Finding[] = [];
    const settings = parseConfig(platforms + text, 'test');
    reportRetention({ texts: en, report: (finding) => void findings.push(finding) }, { settings });
    expect(findings).toMatchObject([
      { status: 'ok', text: `data of ended runs is deleted after ${days} days (${setting})` },
    ]);
  });
});
