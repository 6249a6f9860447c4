import { type EnvironmentEntry, findEnvironment } from './environment-schemas.ts';

/** `hold`: not pushed until a person allows it; `draft`: pushed, and named in the report; `allow`: pushed. */
export type PathAction = 'hold' | 'draft' | 'allow';

/** Actions by pattern. Of several patterns that match a path the last one counts. */
export type PathRules = Readonly<Record<string, PathAction>>;

/** Rules of an operator for the paths of one repository. */
export interface OperatorProtection {
  readonly rules: PathRules;
  /** True if `.agent.yml` of the base branch may make them stricter. */
  readonly readsFile: boolean;
}

/** Finds them by the path of the repository: `owner/repo`. */
export type ProtectPaths = (repositoryPath: string) => OperatorProtection;

/** Creates what finds the rules of a repository: those of its entry come before those of all repositories. */
export function createProtection(environments: readonly EnvironmentEntry[], rules: PathRules): ProtectPaths {
  return (repositoryPath) => {
    const entry = findEnvironment(environments, repositoryPath);
    // The last pattern that matches counts: a pattern of both comes last.
    const own = entry?.protected_paths ?? {};
    const others = Object.entries(rules).filter(([pattern]) => !(pattern in own));
    return { rules: { ...Object.fromEntries(others), ...own }, readsFile: entry?.repository_file !== false };
  };
}
