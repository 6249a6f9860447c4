const words = (...lines: readonly string[]) => lines.flatMap((line) => line.split(' '));

/**
 * Commands of formulas that show all that is given to them. What is none of these may hide or move what it is given: new
 * ones come with every package, so that those that show are listed and not those that hide.
 */
export const showingCommands: ReadonlySet<string> = new Set(
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
export const showingSurroundings: ReadonlySet<string> = new Set(
  words(
    'equation align alignat aligned alignedat gather gathered split multline eqnarray array matrix pmatrix bmatrix Bmatrix',
    'vmatrix Vmatrix smallmatrix cases rcases dcases subarray CD',
  ),
);
