import { describe, expect, it } from 'vitest';
import { parseConfig } from './load-config.ts';
import { mergeReloaded } from './merge-reloaded.ts';

const parse = (text: string) => parseConfig(text, 'test');
const github = (rest: string) => parse(`platforms: { github: { ${rest} } }`);

describe('mergeReloaded', () => {
  it('takes over what may change, key by key, and leaves everything else as it was [NX-352, NX-356]', () => {
    const before = parse('platforms: { github: { repositories: [acme/shop] } }');
    const after = parse(`
platforms: { github: { repositories: [acme/shop, acme/tools], bot_label: robot } }
limits: { max_steps: 5, max_cost: { day: 3 } }
planning: { enabled: false }
trust: [alice]
`);
    const { config, changed, needRestart } = mergeReloaded(before, after);
    expect(changed).toEqual([
      'limits.max_cost.day',
      'limits.max_steps',
      'platforms.github.repositories',
      'trust',
    ]);
    expect(needRestart).toEqual(['planning.enabled', 'platforms.github.bot_label']);
    expect(config).toEqual({
      ...before,
      limits: after.limits,
      trust: ['alice'],
      platforms: {
        ...before.platforms,
        github: { ...before.platforms.github, repositories: ['acme/shop', 'acme/tools'] },
      },
    });
    expect(mergeReloaded(config, after)).toMatchObject({ changed: [], needRestart });
  });

  it('leaves a platform that came or went to a restart [NX-356]', () => {
    const before = github('repositories: [acme/shop]');
    const after = parse('platforms: { gitlab: { projects: [acme/shop] } }');
    const { config, needRestart } = mergeReloaded(before, after);
    expect(needRestart).toEqual(['platforms.github', 'platforms.gitlab']);
    expect(config).toEqual(before);
  });

  it('keeps an App with the owner that its installation was found for [NX-356]', () => {
    const app = 'app: { app_id: 1 }';
    const before = github(`repositories: [acme/shop], ${app}`);
    const other = github(`repositories: [other/shop], exclude: [acme/*], ${app}`);
    const more = github(`repositories: [acme/tools], ${app}`);
    expect(mergeReloaded(before, other)).toMatchObject({
      changed: [],
      needRestart: ['platforms.github.exclude', 'platforms.github.repositories'],
    });
    expect(mergeReloaded(before, more)).toMatchObject({ needRestart: [] });
  });
});
