/** A page in the order of the site. */
export interface TitledPage {
  /** Path in the site, such as `packages/runner.md`. */
  readonly route: string;
  readonly title: string;
}

/** A section of the bar at the side, as VitePress takes it. */
export interface Section {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

interface Rule {
  readonly text: string;
  /** Routes without `.md`, in their order; `/` at the end stands for all below that are named nowhere. */
  readonly routes: readonly string[];
  readonly collapsed?: true;
}

const RULES: readonly Rule[] = [
  { text: 'Start', routes: ['start', 'overview', 'concepts', 'comparison'] },
  { text: 'Recipes', routes: ['recipes/index', 'recipes/'] },
  { text: 'Guides', routes: ['guides/'] },
  { text: 'Programs', routes: ['apps/daemon', 'apps/discord', 'apps/'] },
  { text: 'Reference', routes: ['reference/index', 'reference/'] },
  { text: 'API', routes: ['api/'], collapsed: true },
  { text: 'Packages', routes: ['packages/'] },
  { text: 'Examples', routes: ['examples/'], collapsed: true },
  { text: 'What holds', routes: ['guarantees', 'benchmarks', 'security', 'security/'] },
  {
    text: 'Working on it',
    routes: ['contributing', 'contributing/', 'house', 'bench', 'trials', 'requirements', 'site'],
    collapsed: true,
  },
  { text: 'Decisions', routes: ['decisions/index', 'decisions/'], collapsed: true },
];

/** Pages that no section names: those that readers reach in another way. */
const OUTSIDE = /^(?:index|ja\/.*)\.md$/;

/** Puts every page into one section; throws for a page that none takes, so that a new document is not lost. */
export function makeSections(pages: readonly TitledPage[]): readonly Section[] {
  const waiting = new Map(
    pages.filter(({ route }) => !OUTSIDE.test(route)).map((page) => [page.route, page]),
  );
  const named = new Set(RULES.flatMap(({ routes }) => routes.map((route) => `${route}.md`)));
  const take = (route: string): readonly TitledPage[] => {
    const taken = [...waiting.values()].filter((page) =>
      route.endsWith('/')
        ? page.route.startsWith(route) && !named.has(page.route)
        : page.route === `${route}.md`,
    );
    for (const page of taken) waiting.delete(page.route);
    return taken;
  };
  const sections = RULES.map(({ text, routes, collapsed = false }) => ({
    text,
    collapsed,
    items: routes.flatMap(take).map((page) => ({ text: page.title, link: toLink(page.route) })),
  }));
  if (waiting.size > 0)
    throw new Error(
      `no section of the site takes ${[...waiting.keys()].join(', ')}: name it in navigation.ts`,
    );
  return sections.filter(({ items }) => items.length > 0);
}

/** The address of a page below the site's own, without `.md` or `index`. */
export function toLink(route: string): string {
  return `/${route.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`;
}
