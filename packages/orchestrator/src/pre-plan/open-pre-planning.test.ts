import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { planningSchema } from '../config/run-settings.ts';
import { readPrePlanningConfig } from './open-pre-planning.ts';

const logger = pino({ level: 'silent' });
const read = (section: unknown, environment: Record<string, string> = {}) =>
  readPrePlanningConfig(planningSchema.parse(section), { environment, logger });

describe('how runs pre-plan', () => {
  it('is switched on by its section, and off by either `enabled` [PP-35]', () => {
    expect(read(undefined)).toBeNull();
    expect(read({})).toMatchObject({ enabled: true, understanding: { confidence_threshold: 0.7 } });
    expect(read({ enabled: false })).toBeNull();
    expect(read({ pre_planning: { enabled: false } })).toBeNull();
  });

  it('is said by the environment before the file; what is of no use there is not heeded [PP-45, PP-46]', () => {
    const on = read(undefined, {
      PRE_PLANNING_ENABLED: 'true',
      PRE_PLANNING_CONFIDENCE_THRESHOLD: '0.9',
    });
    expect(on).toMatchObject({ enabled: true, understanding: { confidence_threshold: 0.9 } });
    expect(read({}, { PRE_PLANNING_ENABLED: 'false' })).toBeNull();
    expect(read(undefined, { PRE_PLANNING_ENABLED: 'perhaps' })).toBeNull();
    expect(read({}, { PRE_PLANNING_CONFIDENCE_THRESHOLD: '7' })).toMatchObject({
      understanding: { confidence_threshold: 0.7 },
    });
  });
});
