import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseConfig } from './load-config.ts';
import { listReservedKeys } from './settings.ts';

const platform = 'platforms: { github: { repositories: [acme/shop] } }\n';
const schema = fileURLToPath(
  new URL('../../../../packages/orchestrator/src/config/run-settings.ts', import.meta.url),
);
const listModules = fileURLToPath(new URL('../../test/support/list-modules.ts', import.meta.url));

describe('the section `planning`', () => {
  it('is on when it is left out, and names a key that nobody knows', () => {
    expect(parseConfig(platform, 'agent.config.yaml').planning.enabled).toBe(true);
    const wrong = `${platform}planning: { pre_planning: { collection: { enable: true } } }`;
    expect(() => parseConfig(wrong, 'agent.config.yaml')).toThrow(
      'planning.pre_planning.collection.enable is not a known key. Did you mean enabled?',
    );
  });

  it('is on where its name stands alone, as YAML reads a section whose lines are commented out [PP-35]', () => {
    const { planning } = parseConfig(`${platform}planning:\n#  enabled: true\n`, 'agent.config.yaml');
    expect(planning).toEqual(parseConfig(`${platform}planning: {}`, 'agent.config.yaml').planning);
    expect(planning).toMatchObject({ enabled: true, pre_planning: { enabled: null } });
  });

  it('knows the keys that have no effect so far, and says which of them are set [X5, NX-52]', () => {
    const read = (text: string) => parseConfig(`${platform}${text}`, 'agent.config.yaml');
    expect(listReservedKeys(read('planning: {}'))).toEqual([]);
    const set = 'planning: { progress_comment: { enabled: true } }';
    expect(listReservedKeys(read(set))).toEqual(['planning.progress_comment.enabled']);
    expect(listReservedKeys(read(`${set}\nreport: { style: seed }`))).toEqual([]);
  });

  it('brings nothing but zod into a process that only reads its configuration', async () => {
    const node = ['--conditions=@agent/source', '--import', listModules, schema];
    const { stderr } = await promisify(execFile)(process.execPath, node);
    const foreign = stderr.split('\n').filter((line) => line.includes('/node_modules/'));
    expect(foreign.length).toBeGreaterThan(0);
    expect(foreign.filter((line) => !line.includes('/node_modules/zod/'))).toEqual([]);
    expect(stderr).toContain('/pre-planning/src/config.ts');
    expect(stderr).not.toContain('/pre-planning/src/index.ts');
  });
});
