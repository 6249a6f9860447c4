// The order of the packages and of the folders in them (docs/house.md), as rules for dependency-cruiser: `npm run imports`.
// An import of a type counts like any other. The comment of a rule is the advice that is printed beside a broken import.

/** Every package but those that have a place of their own in the order. */
const libraries = '(?!(?:text|platforms|orchestrator|page|simulators)/)[^/]+';
/** Paths of tests and of what only they use. */
export const tests = '[.]test[.]ts$|^(packages|apps|examples)/[^/]+/test/';

export default {
  forbidden: [
    // Apps → orchestrator and page → libraries → platforms and text.
    rule('apps-do-not-import-each-other', {
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
      comment: 'Move the shared code to the orchestrator or to a library.',
    }),
    rule('packages-do-not-import-apps', {
      from: { path: '^packages/' },
      to: { path: '^apps/' },
      comment: 'Take it as an option, or move it from the app to the package.',
    }),
    rule('orchestrator-does-not-import-page', {
      from: { path: '^packages/orchestrator/' },
      to: { path: '^packages/page/' },
      comment: 'The page renders views of the orchestrator: declare the view in the orchestrator.',
    }),
    rule('folders-of-orchestrator-do-not-import-its-root', {
      from: { path: '^packages/orchestrator/src/[^/]+/', pathNot: tests },
      to: { path: '^packages/orchestrator/src/[^/]+[.]ts$' },
      comment:
        'The root composes the folders: move the module to the folder it belongs to (packages/orchestrator/README.md has their order).',
    }),
    rule('page-imports-text-and-types-of-orchestrator', {
      from: { path: '^packages/page/' },
      to: { path: '^packages/', pathNot: '^packages/(page|text|orchestrator|simulators)/' },
      comment: 'Declare the view in packages/orchestrator/src/watch, or take the value as an option.',
    }),
    rule('page-imports-only-types-of-orchestrator', {
      from: { path: '^packages/page/' },
      to: { path: '^packages/orchestrator/', dependencyTypesNot: ['type-only'] },
      comment: 'Use `import type`, or take the value as an option.',
    }),
    rule('libraries-do-not-import-orchestrator-or-page', {
      from: { path: `^packages/(${libraries}|platforms|text)/` },
      to: { path: '^packages/(orchestrator|page)/' },
      comment: 'Declare what the library needs as a port; the orchestrator passes it in.',
    }),
    rule('libraries-do-not-import-each-other', {
      from: { path: `^packages/(${libraries})/`, pathNot: tests },
      to: { path: `^packages/(${libraries})/`, pathNot: '^packages/$1/' },
      comment:
        'Declare what the library needs as a port, or move a shared concept to @agent/platforms (docs/decisions/0001).',
    }),
    rule('libraries-import-only-the-root-of-platforms', {
      // The package of the apps' rehearsals reads the answers of platforms as the adapters do.
      from: { path: `^packages/(${libraries})/`, pathNot: `${tests}|^packages/rehearsal/` },
      to: { path: '^packages/platforms/', pathNot: '^packages/platforms/src/index[.]ts$' },
      comment: 'Import the type from @agent/platforms; adapters are passed in.',
    }),
    rule('libraries-import-only-types-of-platforms', {
      from: { path: `^packages/(${libraries})/`, pathNot: `${tests}|^packages/rehearsal/` },
      to: { path: '^packages/platforms/', dependencyTypesNot: ['type-only'] },
      comment: 'Use `import type`: a library loads nothing of @agent/platforms at run time.',
    }),
    rule('platforms-imports-text-alone', {
      from: { path: '^packages/platforms/' },
      to: { path: '^packages/', pathNot: '^packages/(platforms|text|simulators)/' },
      comment: 'Platforms is a leaf: declare the concept there, or take the value as an option.',
    }),
    rule('root-of-platforms-imports-nothing', {
      from: { path: '^packages/platforms/src/[^/]+[.]ts$' },
      to: { path: '^packages/', pathNot: '^packages/platforms/src/[^/]+[.]ts$' },
      comment:
        'The root of platforms declares ports and types: move the code below github/, gitlab/ or the shared folders.',
    }),
    rule('text-imports-no-package', {
      from: { path: '^packages/text/' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/(text|simulators)/' },
      comment: 'Text is the lowest leaf: take the value as a parameter.',
    }),

    // Beside them: simulators, trials, benchmarks, examples, documents.
    rule('published-code-does-not-import-simulators-trials-or-examples', {
      from: { path: '^(packages|apps)/', pathNot: [tests, '^packages/simulators/'] },
      to: { path: '^(packages/simulators|trials|bench|examples|site|scripts)/' },
      comment: 'These are for tests and documents: move the code to the package that needs it.',
    }),
    rule('simulators-import-no-package', {
      from: { path: '^packages/simulators/' },
      to: {
        path: '^(packages|apps|trials|bench|examples|site|scripts)/',
        pathNot: '^packages/simulators/',
      },
      comment:
        'The simulators check our code from outside: write the few lines again in packages/simulators/src/shared/.',
    }),

    // How modules are imported.
    rule('other-packages-are-imported-by-name', {
      from: { path: '^((?:packages|apps|examples)/[^/]+|trials|bench|site)/' },
      to: {
        path: '^(packages|apps|examples|trials|bench|site)/',
        pathNot: '^$1/',
        dependencyTypes: ['local'],
      },
      comment: 'Import the package by its name (@agent/…): only its entry points are public.',
    }),
    rule('sources-do-not-import-tests', {
      from: { pathNot: tests },
      to: { path: tests },
      comment: 'Move what both need to a source file; what only tests need belongs to src/testing or test/.',
    }),
    rule('one-place-opens-the-storage', {
      from: {
        path: '^(apps/[^/]+|packages/(orchestrator|context-inheritance))/src/',
        pathNot: [tests, '^packages/orchestrator/src/host/open-storage[.]ts$'],
      },
      to: { path: '^packages/run-store/src/file/index[.]ts$' },
      comment: 'Take the storage as an option; packages/orchestrator/src/host/open-storage.ts opens it.',
    }),
    rule('imports-are-found', {
      from: {},
      to: { couldNotResolve: true, path: '^([.]|@agent/)' },
      comment: 'The path does not exist, or the package does not export it.',
    }),

    // Cycles.
    rule('no-file-cycles', {
      from: {},
      to: { circular: true },
      comment: 'Move what both files need to a third file, or join them.',
    }),
    rule('no-folder-cycles', {
      scope: 'folder',
      from: { path: '^((?:packages|apps|examples)/[^/]+|trials|bench|site)/src/' },
      to: { path: '^$1/', circular: true },
      comment:
        'Move the file or the type to the folder it belongs to, or join folders that separate nothing.',
    }),
  ],
  options: {
    tsPreCompilationDeps: true,
    exclude: { path: '(^|/)node_modules/' },
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@agent/source', 'types', 'import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
};

/**
 * @param {string} name
 * @param {Omit<import('dependency-cruiser').IRegularForbiddenRuleType, 'name' | 'severity'>} conditions
 * @returns {import('dependency-cruiser').IRegularForbiddenRuleType}
 */
function rule(name, conditions) {
  return { name, severity: 'error', ...conditions };
}
