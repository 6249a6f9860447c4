import type { Edit, Span } from './edits.ts';
import type { TextBlock } from './find-blocks.ts';
import { findUnit, type Page, skipRun } from './page.ts';

const signs = { dollar: 0x24, backtick: 0x60, backslash: 0x5c, opening: 0x7b, closing: 0x7d, lineFeed: 0x0a };
/** Commands whose content is set in no ink, or is no text at all, with how many groups belong to them. */
const hiding: ReadonlyMap<string, number> = new Map([
  ...['phantom', 'hphantom', 'vphantom', 'label', 'class', 'cssId', 'style', 'href', 'data', 'require'].map(
    (name) => [name, 1] as const,
  ),
  ...['def', 'gdef', 'edef', 'xdef', 'let', 'newcommand', 'renewcommand', 'providecommand'].map(
    (name) => [name, 2] as const,
  ),
]);
/** Colors that stand out from a white page: named ones, and those with a part that is not nearly full. */
const seenInk =
  /^\{\s{0,9}(?:black|blue|brown|cyan|crimson|(?:dark|medium)[a-z]{3,12}|gr[ae]y|green|indigo|lime|magenta|maroon|navy|olive|orange|purple|red|teal|violet|yellow|#[\da-f]{0,2}[\da-b][\da-f]{0,2}|#(?:[\da-f]{2}){0,2}[\da-b][\da-f](?:[\da-f]{2}){0,2})\s{0,9}\}$/i;
/** Room to the right that pushes nothing off the page. */
const room = /^\*?\{\s{0,9}\d{1,2}(?:\.\d{1,3})?\s{0,9}[a-z]{2}\s{0,9}\}/;
const surrounding = /^\{([A-Za-z]{1,20})\*?\}/;

/** Finds what formulas between dollars hold and never show. Code between dollars is a formula too; other code is none. */
export function findFormulaEdits(
  blocks: readonly TextBlock[],
  { page, code }: { readonly page: Page; readonly code: readonly Span[] },
): Edit[] {
  const edits: Edit[] = [];
  const { units } = page;
  let next = 0;
  for (const { start, end, kind } of blocks) {
    if (kind === 'html') continue;
    let opened: Span | null = null;
    for (let index = findUnit(signs.dollar, { units, start, end }); index !== null; ) {
      while ((code[next]?.end ?? Number.POSITIVE_INFINITY) <= index) next += 1;
      const span = code[next];
      const signsEnd = skipRun(signs.dollar, { units, start: index, end });
      if (span !== undefined && span.start <= index)
        index = findUnit(signs.dollar, { units, start: span.end, end });
      else {
        const width = signsEnd - index;
        if (opened === null || opened.end - opened.start !== width) opened = { start: index, end: signsEnd };
        else {
          const formula = { start: opened.end, end: index, hasComments: width > 1 };
          const isDrawn = width > 1 || isTight(page, formula);
          for (const cut of findFormulaCuts(page, { ...formula, isDrawn })) edits.push(cut);
          opened = null;
        }
        index = findUnit(signs.dollar, { units, start: signsEnd, end });
      }
    }
  }
  return edits;
}

interface Formula extends Span {
  /** `%` begins a comment: where a formula is one line, that would hide its end. */
  readonly hasComments: boolean;
  /** No prose between two prices: what nobody knows to be shown is taken out whole. */
  readonly isDrawn: boolean;
}

/** Tells whether single dollars enclose a formula: it touches them, and no digit follows. `$5 and $6` is no formula. */
function isTight({ text }: Page, { start, end }: Span): boolean {
  return (
    /^\S$/.test(text.charAt(start)) &&
    /^[^\s\\]$/.test(text.charAt(end - 1)) &&
    !/^\d/.test(text.charAt(end + 1))
  );
}

/** Finds what a formula holds and never shows. */
export function findFormulaCuts(
  { text, units }: Page,
  { start, end, hasComments, isDrawn }: Formula,
): Edit[] {
  const cuts: Edit[] = [];
  const cut = (from: number, to: number) => cuts.push({ start: from, end: to, kind: 'unseen-formula' });
  for (let index = start; index < end; index += 1) {
    if (hasComments && text.charAt(index) === '%') {
      const lineEnd = findUnit(signs.lineFeed, { units, start: index, end }) ?? end;
      cut(index, lineEnd);
      index = lineEnd;
    } else if (units[index] === signs.backslash) {
      const name = /^[A-Za-z]{0,32}/.exec(text.slice(index + 1, Math.min(end, index + 33)))?.[0] ?? '';
      const nameEnd = index + 1 + Math.max(1, name.length);
      const hiddenEnd = findHiddenEnd({ text, units }, { name, start: nameEnd, end });
      if (isDrawn && hiddenEnd === null && !isShown(name, text.slice(nameEnd, Math.min(end, nameEnd + 40))))
        return [{ start, end, kind: 'unseen-formula' }];
      if (hiddenEnd !== null) cut(index, hiddenEnd);
      index = (hiddenEnd ?? nameEnd) - 1;
    }
  }
  return cuts;
}

/** Finds where that ends which a command hides; null for a command that hides nothing. */
function findHiddenEnd(
  { text, units }: Pick<Page, 'text' | 'units'>,
  { name, start, end }: Span & { readonly name: string },
): number | null {
  if (name === 'color') return seenInk.test(inkOf({ text, units }, { start, end })) ? null : end;
  if (name === 'textcolor') {
    const ink = inkOf({ text, units }, { start, end });
    return seenInk.test(ink) ? null : passGroup({ text, units }, { start: start + ink.length, end });
  }
  const groups = hiding.get(name);
  if (groups === undefined) return null;
  let hiddenEnd = start;
  for (let count = 0; count < groups; count += 1)
    hiddenEnd = passGroup({ text, units }, { start: hiddenEnd, end });
  return hiddenEnd;
}

function inkOf({ text, units }: Pick<Page, 'text' | 'units'>, span: Span): string {
  return text.slice(span.start, passGroup({ text, units }, span));
}

/** Tells whether a command shows what stands behind it; a sign behind the backslash always does. */
function isShown(name: string, behind: string): boolean {
  if (name === '' || name === 'color' || name === 'textcolor') return true;
  if (name === 'hspace') return room.test(behind);
  if (name !== 'begin' && name !== 'end') return showingCommands.has(name);
  return showingSurroundings.has(surrounding.exec(behind)?.[1] ?? '');
}

/** Finds where the group that stands there ends, or the command with its group; a group that nothing ends goes on to the end. */
function passGroup({ text, units }: Pick<Page, 'text' | 'units'>, { start, end }: Span): number {
  const lead = /^\s{0,9}(?:\\[A-Za-z]{1,32}|\[[^\]]{0,9}\]){0,3}\s{0,9}/.exec(
    text.slice(start, Math.min(end, start + 160)),
  );
  const begin = start + (lead?.[0].length ?? 0);
  if (units[begin] !== signs.opening) return begin;
  let depth = 0;
  for (let index = begin; index < end; index += 1) {
    if (units[index] === signs.backslash) index += 1;
    else if (units[index] === signs.opening) depth += 1;
    else if (units[index] === signs.closing) depth -= 1;
    if (depth === 0) return index + 1;
  }
  return end;
}

const words = (...lines: readonly string[]) => lines.flatMap((line) => line.split(' '));

/**
 * Commands of formulas that show all that is given to them. What is none of these may hide or move what it is given: new
 * ones come with every package, so that those that show are listed and not those that hide.
 */
const showingCommands: ReadonlySet<string> = new Set(
  words(
    'alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda mu nu xi omicron pi varpi',
    'rho varrho sigma varsigma tau upsilon phi varphi chi psi omega digamma Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi',
    'Psi Omega varGamma varDelta varTheta varLambda varXi varPi varSigma varUpsilon varPhi varPsi varOmega hbar hslash ell wp',
    'Re Im aleph beth gimel daleth imath jmath partial nabla infty emptyset varnothing forall exists nexists neg lnot top bot',
    'angle measuredangle sphericalangle triangle square Box Diamond diamondsuit clubsuit heartsuit spadesuit flat natural sharp',
    'prime backprime surd checkmark dagger ddagger S P copyright pounds degree complement eth mho circledR bigstar lozenge',
    'blacksquare blacktriangle qed',
    'pm mp times div cdot ast star circ bullet oplus ominus otimes oslash odot cap cup uplus sqcap sqcup vee wedge land lor',
    'setminus smallsetminus wr amalg triangleleft triangleright bigtriangleup bigtriangledown bigcirc ltimes rtimes bowtie',
    'dotplus barwedge veebar boxplus boxminus boxtimes boxdot circledast circledcirc circleddash intercal divideontimes',
    'le leq ge geq lt gt ll gg lll ggg ne neq equiv sim simeq approx approxeq cong propto varpropto prec succ preceq succeq',
    'leqslant geqslant lesssim gtrsim lessgtr gtrless lessapprox gtrapprox nless ngtr nleq ngeq subset supset subseteq supseteq',
    'nsubseteq nsupseteq subsetneq supsetneq sqsubset sqsupset sqsubseteq sqsupseteq in notin ni owns mid nmid parallel nparallel',
    'perp vdash dashv models vDash Vdash Vvdash nvdash nvDash asymp doteq doteqdot coloneqq eqqcolon triangleq circeq bumpeq',
    'smile frown between pitchfork backepsilon therefore because trianglelefteq trianglerighteq not nsim ncong colon',
    'to gets leftarrow rightarrow leftrightarrow Leftarrow Rightarrow Leftrightarrow longleftarrow longrightarrow',
    'longleftrightarrow Longleftarrow Longrightarrow Longleftrightarrow uparrow downarrow updownarrow Uparrow Downarrow',
    'Updownarrow nearrow searrow swarrow nwarrow mapsto longmapsto hookleftarrow hookrightarrow leftharpoonup rightharpoonup',
    'leftharpoondown rightharpoondown rightleftharpoons leftrightharpoons iff implies impliedby twoheadrightarrow',
    'twoheadleftarrow rightsquigarrow leadsto leftleftarrows rightrightarrows rightleftarrows leftrightarrows nrightarrow',
    'nleftarrow nRightarrow nLeftarrow curvearrowleft curvearrowright circlearrowleft circlearrowright multimap xrightarrow',
    'xleftarrow xrightleftharpoons',
    'sum prod coprod int iint iiint oint bigcap bigcup bigsqcup bigvee bigwedge bigodot bigotimes bigoplus biguplus limits nolimits',
    'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec',
    'sin sinh sup tan tanh bmod pmod mod pod injlim projlim varlimsup varliminf argmax argmin',
    'frac dfrac tfrac cfrac binom dbinom tbinom genfrac sqrt root of over atop choose stackrel overset underset substack sideset',
    'overline underline overbrace underbrace overrightarrow overleftarrow overleftrightarrow underrightarrow underleftarrow',
    'hat widehat check widecheck tilde widetilde bar vec dot ddot dddot acute grave breve mathring boxed fbox cancel bcancel',
    'xcancel enspace',
    'text textrm textbf textit textsf texttt textnormal textup mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr',
    'mathnormal boldsymbol bm pmb bold rm bf it sf tt cal operatorname mathop mathbin mathrel mathord mathopen mathclose',
    'mathpunct mathinner mbox hbox displaystyle textstyle scriptstyle large Large normalsize',
    'left right middle big Big bigg Bigg bigl Bigl biggl Biggl bigr Bigr biggr Biggr bigm Bigm biggm Biggm langle rangle lvert',
    'rvert lVert rVert vert Vert lfloor rfloor lceil rceil lbrace rbrace lbrack rbrack lgroup rgroup lmoustache rmoustache',
    'ulcorner urcorner llcorner lrcorner backslash',
    'dots ldots cdots vdots ddots dotsc dotsb dotsm dotsi dotso quad qquad thinspace medspace thickspace space nobreakspace',
    'begin end hline cline tag notag nonumber newline cr ref eqref ce',
  ),
);

/** Surroundings that show all that stands in them. */
const showingSurroundings: ReadonlySet<string> = new Set(
  words(
    'equation align alignat aligned alignedat gather gathered split multline eqnarray array matrix pmatrix bmatrix Bmatrix',
    'vmatrix Vmatrix smallmatrix cases rcases dcases subarray CD',
  ),
);
