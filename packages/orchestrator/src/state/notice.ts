/** Fact about the installation that an operator should know, found when a process starts. It is no problem, and stays until the next start. */
export interface Notice {
  /** `no_sandbox`: commands have all permissions of the daemon. `finding`: a warning of `doctor`. */
  readonly cause: 'no_sandbox' | 'finding';
  /** Part that it belongs to: `github`, `commands`. */
  readonly area: string;
  /** In the language of the process. Null: what the cause means. */
  readonly text: string | null;
  readonly remedy: string | null;
  /** When it was found, in milliseconds since 1970. */
  readonly since: number;
}

/** A process has found something that an operator should know. */
export interface NoticeEvent {
  readonly type: 'notice';
  readonly notice: Omit<Notice, 'since'>;
}

/** Notices of a process that are kept. */
const maxNotices = 50;

/** Adds a notice, unless it is there or there are 50. */
export function withNotice(notices: readonly Notice[], notice: Notice): readonly Notice[] {
  const isKnown = notices.some((one) => toKey(one) === toKey(notice));
  return isKnown || notices.length >= maxNotices ? notices : [...notices, notice];
}

/** Joins equal notices of several processes. */
export function mergeNotices(
  reports: readonly { readonly notices?: readonly Notice[] | undefined }[],
): readonly Notice[] {
  const merged = new Map<string, Notice>();
  for (const notice of reports.flatMap(({ notices = [] }) => notices))
    if (!merged.has(toKey(notice))) merged.set(toKey(notice), notice);
  return [...merged.values()];
}

const toKey = ({ cause, area, text }: Notice): string => JSON.stringify([cause, area, text]);
