import { readPrePlanningConfig } from '@agent/orchestrator';
import { pino } from 'pino';
import type { Environment } from '../config/load-config.ts';
import type { Config } from '../config/schema.ts';
import type { DoctorParts } from './doctor-parts.ts';
import { reportOn } from './finding.ts';

/** Reports whether runs pre-plan before their first step, what decided that, and which variables hold no valid value. */
export function checkPlanning({ texts, report, loaded }: DoctorParts): void {
  const { config, environment } = loaded;
  const area = reportOn('pre-planning', report);
  const useless: string[] = [];
  const write = (line: string): void => void useless.push(JSON.parse(line).variable);
  const logger = pino({ level: 'warn' }, { write });
  const on = readPrePlanningConfig(config.planning, { environment, logger }) !== null;
  const heeded = useless.includes('PRE_PLANNING_ENABLED') ? {} : environment;
  area.ok(texts.prePlanning(on, findDecider(config.planning, heeded)));
  for (const variable of useless) {
    area.warning(texts.variableUseless(variable), { fix: texts.fixVariable(variable) });
  }
}

/** Key or variable that switches pre-planning on or off; null where nothing is said of it. */
function findDecider(planning: Config['planning'], environment: Environment): string | null {
  if (planning?.enabled === false) return 'planning.enabled';
  if (environment.PRE_PLANNING_ENABLED?.trim()) return 'PRE_PLANNING_ENABLED';
  if (planning === null) return null;
  return planning.pre_planning.enabled ? 'planning' : 'planning.pre_planning.enabled';
}
