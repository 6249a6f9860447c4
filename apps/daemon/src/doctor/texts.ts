/** What `doctor` says, in one language. Each function names what it found; mends say what to do. */
export interface DoctorTexts {
  readonly configOk: (file: string) => string;
  readonly mendConfig: string;
  readonly connected: (host: string, login: string) => string;
  readonly mendToken: string;
  readonly mendAddress: (key: string) => string;
  readonly mendLater: string;
  readonly mendAdapter: string;
  readonly rolesOff: (roles: string) => string;
  readonly mendRoles: string;
  readonly cannotSee: (repository: string, status: number) => string;
  readonly mendAccess: (repository: string) => string;
  readonly archived: (repository: string) => string;
  readonly mendArchived: string;
  readonly noIssues: (repository: string) => string;
  readonly mendIssues: string;
  readonly mayWrite: (repository: string) => string;
  readonly mayNot: (repository: string, right: string, status: number) => string;
  readonly mendRight: (right: string) => string;
  readonly roleTooLow: (project: string, level: number) => string;
  readonly mendRole: string;
  readonly unknownAnswer: (repository: string, question: string, status: number) => string;
  readonly notAsked: (repository: string, reason: string) => string;
  readonly labelsThere: (repository: string) => string;
  readonly labelsMissing: (repository: string, labels: string) => string;
  readonly modelModule: (model: string) => string;
  readonly modelListed: (url: string, count: number) => string;
  readonly modelNotListed: (model: string, others: string) => string;
  readonly mendModelName: string;
  readonly modelListMissing: (url: string, status: number) => string;
  readonly mendModelList: string;
  readonly modelUnreachable: (url: string, reason: string) => string;
  readonly mendEndpoint: string;
  readonly modelRefusedKey: (url: string, status: number) => string;
  readonly mendKey: string;
  readonly modelWorks: (model: string, milliseconds: number) => string;
  readonly modelWithoutTools: (model: string) => string;
  readonly mendTools: string;
  readonly modelFailed: (model: string, reason: string) => string;
  readonly modelNotCalled: string;
  readonly mendModelNotCalled: string;
  readonly gitOk: (version: string) => string;
  readonly gitOld: (version: string) => string;
  readonly gitMissing: string;
  readonly mendGit: string;
  readonly sandboxOk: (network: boolean) => string;
  readonly sandboxMissing: (reason: string) => string;
  readonly mendSandbox: string;
  readonly directoryOk: (key: string, path: string) => string;
  readonly directoryFailed: (key: string, path: string, reason: string) => string;
  readonly mendDirectory: string;
  readonly serverOk: (name: string, tools: number) => string;
  readonly serverFailed: (name: string, reason: string) => string;
  readonly mendServer: (name: string) => string;
  readonly allWell: string;
  readonly toMend: (failed: number, warnings: number) => string;
}

/** The texts of a language; only that language is loaded. */
export async function loadDoctorTexts(locale: 'ja' | 'en'): Promise<DoctorTexts> {
  return locale === 'ja'
    ? (await import('./texts-ja.ts')).doctorJa
    : (await import('./texts-en.ts')).doctorEn;
}
