import {
  type ConnectedPlatform,
  createPlaceReader,
  createPlaceSearch,
  listNames,
  type NamedPlatform,
} from '@agent/orchestrator/platforms';
import { type DoctorTools, reportOn } from './finding.ts';

/** Repositories that patterns found, of which it is examined what may be done there. */
const examinedFound = 10;

/** Reports what each pattern finds, and lists the names that are written with the first of those. */
export async function findPlaces(
  { texts, report: tell, now, signal }: DoctorTools,
  { name, section, entry, connected }: NamedPlatform & { readonly connected: ConnectedPlatform },
): Promise<readonly string[]> {
  const names = listNames(entry.listPlaces(section));
  const search = createPlaceSearch({
    finder: connected.platform.repositories,
    readSettings: createPlaceReader(entry, () => section),
    section: `platforms.${name}`,
    now,
  });
  const report = reportOn(name, tell);
  const failures = await search.refresh({ signal });
  const { patterns, found } = search.selection();
  for (const { place, error } of failures)
    report.failed(error.message, { fix: texts.fixPattern(place, `platforms.${name}`) });
  const failed = new Set(failures.map(({ place }) => place));
  for (const { text, found: count } of patterns.filter(({ text }) => !failed.has(text)))
    if (count === 0) report.warning(texts.patternFindsNone(text), { fix: texts.fixEmptyPattern });
    else report.ok(texts.patternFinds(text, count));
  const examined = found.slice(0, examinedFound).map(({ path }) => path);
  if (found.length > examined.length) report.ok(texts.notExamined(found.length - examined.length));
  return [...names, ...examined];
}
