import { errorNames } from '../schema/error-codes.ts';
import { Kind, type MessagePlan, type PlanNode } from '../schema/plan.ts';
import { paint, type Style, type Theme } from './theme.ts';

/** Columns that a field's meaning may take, its dots included. */
const MEANING_COLUMNS = 78;
const DOTS = '...';

/** ASCII text that is printed again and again, encoded once. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** Bytes that take no column: the codes of styles. */
  readonly hidden: number;
}

/** What the lines of one field have in common. */
export interface Label {
  /** `Name string = `, or `Name[` for what an array holds. */
  readonly lead: Piece;
  /** `] Name string = ` for what an array holds, else null. */
  readonly leadEnd: Piece | null;
  /** From the end of the span to the end of the line: `B] The meaning.` */
  readonly tail: Piece;
  readonly about: string;
  /** What stands between a value and its length, where it has one: ` (compact, len+1=`. */
  readonly lengthPrefix: Piece;
  /** What stands behind the codes that have names: ` (TOPIC)`; null for what is no code. */
  readonly codes: ReadonlyMap<number, Piece> | null;
  /** Of the line with an array's length; null for what is no array. */
  readonly length: Label | null;
  /** {@link TreeLine}'s: the lead behind the guides it was last printed with, the number of these, and all that there were. */
  guided: Piece;
  guides: number;
  readonly variants: Map<number, Piece>;
}

const encoder = new TextEncoder();

/** Encodes ASCII text with the codes of its styles; `columns` is what of it shows. */
export function piece(text: string, columns: number): Piece {
  const bytes = encoder.encode(text);
  return { bytes, hidden: bytes.length - columns };
}

/** A meaning of at most `columns` columns: the rest becomes three dots. */
export function cutMeaning(text: string, columns: number): string {
  return text.length <= columns ? text : text.slice(0, columns - DOTS.length) + DOTS;
}

/** Labels of all nodes of a plan, by id. */
export function createLabels(plan: MessagePlan, theme: Theme): Label[] {
  const elements = new Set(plan.nodes.map((node) => node.element));
  const valueless = new Set([plan.root, ...plan.root.fields]);
  return plan.nodes.map((node) => {
    const nameStyle = node === plan.root ? theme.heading : theme.name;
    const length = node.kind === Kind.array ? lengthLabel(node, theme) : null;
    const { name, type, about } = node;
    const facts = {
      name,
      type,
      about,
      hasValue: !valueless.has(node),
      length,
      lengthPrefix: lengthPrefix(node),
      codes: codesOf(node, theme),
    };
    return elements.has(node) ? elementLabel(facts, theme) : createLabel(facts, nameStyle, theme);
  });
}

/** The label of the byte before a nullable struct, which says whether there is one. */
export function presenceLabel(theme: Theme): Label {
  const about = '-1 for null, else the struct follows';
  return createLabel({ ...plainFacts, name: 'presence', type: 'int8', about }, theme.name, theme);
}

/** What is put behind a code: its name in parentheses. */
export function codePiece(name: string, style: Style): Piece {
  return piece(` (${paint(style, name)})`, name.length + 3);
}

interface LabelFacts extends Pick<Label, 'about' | 'length' | 'lengthPrefix' | 'codes'> {
  readonly name: string;
  readonly type: string;
  readonly hasValue: boolean;
}

/** The facts of a number without a name. */
const plainFacts = { about: '', hasValue: true, length: null, lengthPrefix: piece('', 0), codes: null } as const;

function lengthPrefix({ kind, compact }: PlanNode): Piece {
  const text = compact ? ' (compact, len+1=' : kind === Kind.string ? ' (int16 len=' : ' (int32 len=';
  return piece(text, text.length);
}

/** Errors stand out among the codes. */
function codesOf({ names }: PlanNode, theme: Theme): ReadonlyMap<number, Piece> | null {
  const style = names === errorNames ? theme.bad : theme.code;
  return names && new Map([...names].map(([code, name]) => [code, codePiece(name, style)]));
}

function lengthLabel({ compact }: PlanNode, theme: Theme): Label {
  const type = compact ? 'uvarint' : 'int32';
  return createLabel({ ...plainFacts, name: 'length', type }, theme.name, theme);
}

function createLabel(facts: LabelFacts, nameStyle: Style, theme: Theme): Label {
  const [typed, typedColumns] = typeAndEquals(facts, theme);
  const lead = piece(paint(nameStyle, facts.name) + typed, facts.name.length + typedColumns);
  return labelOf(facts, lead, null, theme);
}

function elementLabel(facts: LabelFacts, theme: Theme): Label {
  const [typed, typedColumns] = typeAndEquals(facts, theme);
  const lead = piece(`${paint(theme.name, facts.name)}[`, facts.name.length + 1);
  return labelOf(facts, lead, piece(`]${typed}`, typedColumns + 1), theme);
}

function labelOf(facts: LabelFacts, lead: Piece, leadEnd: Piece | null, theme: Theme): Label {
  const { length, lengthPrefix, codes } = facts;
  return { lead, leadEnd, ...tailOf(facts.about, theme), lengthPrefix, codes, length, guided: lead, guides: 0, variants: new Map() };
}

/** What follows a name, and its columns. */
function typeAndEquals({ type, hasValue }: LabelFacts, theme: Theme): [string, number] {
  const typed = type === '' ? '' : ` ${paint(theme.type, type)}`;
  const columns = type === '' ? 0 : type.length + 1;
  return hasValue ? [`${typed} = ${theme.value.open}`, columns + 3] : [typed, columns];
}

function tailOf(meaning: string, theme: Theme): Pick<Label, 'tail' | 'about'> {
  const about = cutMeaning(meaning, MEANING_COLUMNS);
  const shown = about === '' ? '' : ` ${paint(theme.about, about)}`;
  const columns = about === '' ? 0 : about.length + 1;
  return { about, tail: piece(`B]${theme.span.close}${shown}\n`, 2 + columns) };
}
