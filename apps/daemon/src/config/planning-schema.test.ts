import { planningConfigSchema } from '@agent/pre-planning';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseConfig } from './load-config.ts';
import { planningSchema } from './planning-schema.ts';

const platform = 'platforms: { github: { repositories: [acme/shop] } }\n';

describe('the section `planning`', () => {
  it('has the keys, limits and defaults of the library [PP-36, PP-37, PP-41]', () => {
    expect(planningSchema.parse({})).toEqual(planningConfigSchema.parse({}));
    expect(z.toJSONSchema(planningSchema.unwrap().unwrap())).toEqual(z.toJSONSchema(planningConfigSchema));
  });

  it('is off when it is left out, and names a key that nobody knows', () => {
    expect(parseConfig(platform, 'agent.config.yaml').planning).toBeNull();
    const wrong = `${platform}planning: { pre_planning: { collection: { enable: true } } }`;
    expect(() => parseConfig(wrong, 'agent.config.yaml')).toThrow(
      'planning.pre_planning.collection.enable is not a known key. Did you mean enabled?',
    );
  });
});
