import { describe, expect, it } from 'vitest';
import { applyEnvironment, prePlanningConfigSchema } from './config.ts';
import { toPrePlanningOptions } from './phase/pre-planning-options.ts';

const fallback = prePlanningConfigSchema.parse({});

describe('the section planning.pre_planning', () => {
  it('needs nothing in it [PP-35..PP-44] [E8]', () => {
    expect(prePlanningConfigSchema.parse({})).toEqual({
      enabled: true,
      understanding: { confidence_threshold: 0.7 },
      collection: { enabled: true, max_retries_per_tool: 2 },
      assumption: { enabled: true, confidence_threshold: 0.5 },
      notification: {
        notify_on_start: true,
        notify_on_understanding_complete: true,
        notify_on_collection_start: true,
        notify_on_collection_complete: true,
        notify_on_assumption: false,
      },
    });
  });

  it('refuses unknown keys and values that are of no use', () => {
    for (const section of [
      { enable: true },
      { understanding: { confidence_threshold: 70 } },
      { collection: { max_retries_per_tool: -1 } },
      { collection: { max_retries: 2 } },
      { assumption: { confidence_threshold: '0.5' } },
      { notification: { notify_on_end: true } },
    ]) {
      expect(prePlanningConfigSchema.safeParse(section).success).toBe(false);
    }
  });

  it('becomes the options of the manager [PP-35..PP-44]', () => {
    const section = prePlanningConfigSchema.parse({
      enabled: false,
      understanding: { confidence_threshold: 0.9 },
      collection: { enabled: false, max_retries_per_tool: 0 },
      assumption: { enabled: false, confidence_threshold: 0.6 },
      notification: { notify_on_start: false, notify_on_assumption: true },
    });
    expect(toPrePlanningOptions(section)).toEqual({
      enabled: false,
      understandingThreshold: 0.9,
      collectionEnabled: false,
      maxRetriesPerTool: 0,
      assumptionEnabled: false,
      assumptionThreshold: 0.6,
      notifications: {
        start: false,
        understanding: true,
        collectionStart: true,
        collectionEnd: true,
        assumption: true,
      },
    });
  });
});

describe('applyEnvironment', () => {
  it.each([
    ['false', false],
    ['0', false],
    [' Off ', false],
    ['TRUE', true],
    ['yes', true],
  ])('reads PRE_PLANNING_ENABLED=%s as %s, over the configuration [PP-45] [E17] [E21]', (text, enabled) => {
    const config = { ...fallback, enabled: !enabled };
    expect(applyEnvironment(config, { PRE_PLANNING_ENABLED: text })).toEqual({ ...fallback, enabled });
  });

  it('takes the threshold from PRE_PLANNING_CONFIDENCE_THRESHOLD [PP-46] [E17] [E21]', () => {
    for (const [text, threshold] of [
      ['0.9', 0.9],
      ['.5', 0.5],
      ['0', 0],
      ['1', 1],
    ] as const) {
      const { understanding } = applyEnvironment(fallback, { PRE_PLANNING_CONFIDENCE_THRESHOLD: text });
      expect(understanding.confidence_threshold).toBe(threshold);
    }
  });

  it('warns of values of no use, and lets the configuration hold [E17]', () => {
    const warned: object[] = [];
    const warn = (fields: object) => void warned.push(fields);
    const logger = { debug: warn, info: warn, warn, error: warn };
    for (const text of ['1.1', '-0.1', '70%', 'high', 'NaN']) {
      expect(applyEnvironment(fallback, { PRE_PLANNING_CONFIDENCE_THRESHOLD: text }, logger)).toEqual(
        fallback,
      );
    }
    expect(applyEnvironment(fallback, { PRE_PLANNING_ENABLED: 'perhaps' }, logger)).toEqual(fallback);
    expect(warned).toHaveLength(6);
    expect(warned[5]).toEqual({ variable: 'PRE_PLANNING_ENABLED' });
  });

  it('leaves the configuration as it is where nothing is set [PP-45] [PP-46]', () => {
    expect(applyEnvironment(fallback, { PRE_PLANNING_ENABLED: '' })).toEqual(fallback);
  });
});
