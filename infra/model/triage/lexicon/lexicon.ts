import { dailyLife } from "./daily-life.ts";
import { everydayWords } from "./everyday-words.ts";
import { moreWords } from "./more-words.ts";
import { tellingPhrases } from "./telling-phrases.ts";
import { trades } from "./trades.ts";

/**
 * What unwanted (and wanted) mail is about, as word stems in the languages such mail is written in. A concept learns one
 * weight from the training mail, which is English, and carries it to the other languages.
 *
 * Stems are lower case without accents. A trailing `*` matches any ending; a blank makes a phrase.
 */
const firstWords = {
  account:
    "account accounts konto kontos benutzerkonto kundenkonto compte comptes cuenta cuentas conta contas conto rekening rekeningen membership mitgliedschaft abonnement abonnements subscription",
  credential:
    "password* passwort* kennwort* contrasena* senha senhas wachtwoord* haslo* passcode login logins einloggen anmeldedaten inloggen identifiant* credential* tan pin pushtan fotatan securego|mot de passe|mots de passe|sign in|log in|code secret|online banking|zugangsdaten|inicie sesion|iniciar sesion",
  verify:
    "verif* confirm* bestatig* verifizier* validier* valider validez validar valide validate* validation aktualisier* actualis* actualiz* atualiz* bijwerken bevestig* controleer* uberpruf* identifizier* authentif* autentic* legitimier* regulariz* riattiv* reaktivier* reactivat* reativ* potwierd* zaktualizuj",
  suspended:
    "suspend* suspens* gesperrt sperrung sperre gesperrten eingeschrankt einschrankung* bloque* bloquead* bloccat* geblokkeerd* blockiert blokkade blocked expired expires expire expiring expir* abgelaufen ablauf ablaufen verloopt verlopen vervalt limited restricted restring* deactivat* deaktivier* desactiv* desativ* locked gedeactiveerd zablokowan* terminated beperkt cancelad* unpaid disabled",
  security:
    "security sicherheit* sicherheits* securite seguridad seguranca sicurezza beveiliging* veiligheid* suspicious unusual unauthori* ungewohnlich* verdachtig* inhabituel* sospechos* suspeit* fraud* betrug* protect* schutz* phishing",
  urgency:
    "urgent* dringend* sofort* umgehend unverzuglich immediat* inmediat* imediat* onmiddellijk spoed innerhalb deadline frist letzte letzter ultimo ultima ultimos ultimas laatste dernier derniere hurry eilt asap|act now|act fast|24 hours|48 hours|24 stunden|48 stunden|24 heures|48 heures|24 horas|48 horas|24 uur|final notice|last chance|last warning|letzte mahnung|limited time|nur heute|today only|as soon as possible|so schnell wie moglich|before it is too late|expires today|final reminder|only today",
  prize:
    "winner winners won gewonnen gewinner gewinnspiel gagne gagnant* gagner premio premios ganador* ganado ganar prijs reward rewards belohnung pramie recompens* beloning lottery lotterie loterie loteria loterij sweepstake* jackpot sorteio sorteo giveaway claim einlosen resgate resgatar resgate|you have been selected|you have been chosen|sie wurden ausgewahlt|ausgewahlt|vous avez ete selectionne|has sido seleccionado|foi selecionado|u bent geselecteerd|bent u geselecteerd|chance to win|win a |win an |gewinnen sie|gewinne ein|gagnez|gana un|ganhe|vinci un|win een|maak kans|wygraj|выиграйте",
  congrats: "congratulations congrats gluckwunsch* felicitations parabens felicidades enhorabuena gefeliciteerd",
  survey: "survey surveys umfrage umfragen sondage encuesta encuestas pesquisa enquete questionnaire",
  gift: "gift gifts giftcard* voucher vouchers gutschein* geschenk* geschenkkarte cadeau cadeaus cadeaubon cadeaukaart regalo regalos coupon* cupom vale bon bonus bonuses bono gratisspins freispiele|gift card|free spins|carte cadeau",
  free: "free gratis kostenlos* kostenfrei* gratuit* gratuito gratuita umsonst darmowy|no cost|no obligation|risk free|ohne risiko|sin costo|sans frais|sem custo|$0",
  discount:
    "discount* rabatt* remise descuento* desconto* korting* promo promocao promocion promotion* soldes savings sparen reduc* ermassigung bargain cheap cheapest lowest billig gunstig barato sonderpreis* bestseller exclusive exklusiv* exclusif exclusiva exclusivo|best price|special offer|best prices|% off|half price|black friday|cyber monday",
  offer:
    "offer offers angebot angebote offre offres oferta ofertas offerta aanbieding* aktion deal deals proposta opportunity opportunities gelegenheit",
  fortune:
    "inheritance erbschaft herencia heranca erfenis beneficiary begunstigte* beneficiaire beneficiario deceased verstorben* consignment diplomat* barrister solicitor barr kin nigeria ghana|next of kin|business proposal|god bless|your country|dear beloved|compensation fund|atm card|million dollar|millionen dollar|millionen euro|million euro|millions of dollars in|transfer of funds|release of funds",
  crypto:
    "bitcoin* btc krypto* cripto* ethereum wallet wallets airdrop token tokens blockchain binance coinbase metamask ledger trezor nft nfts usdt solana crypto cryptocurrenc* cryptomon*|seed phrase|recovery phrase",
  earning:
    "invest invest* income einkommen ingresos renda inkomen earn earning* verdien* profit* rendite wealth millionaire mlm|make money|work from home|extra cash|financial freedom|from home|geld verdienen|ganar dinero|ganhar dinheiro|per week|per month",
  loan: "loan loans kredit* darlehen pret credito creditos credit lening leningen hypothe* mortgage mortgages refinanc* debt debts schulden deuda divida dividas emprestimo* prestamo* insurance versicherung* krankenversicherung assurance mutuelle seguro seguros verzekering* zahnzusatz* krankenkasse* dettes|vos dettes",
  parcel:
    "package parcel paket pakete paketes sendung sendungen colis paquete encomenda encomendas pakket pakketje zending delivery zustell* liefer* livraison entrega bezorg* levering shipment shipping versand tracking sendungsverfolgung paczka dhl ups fedex dpd hermes usps postnl correios",
  payment:
    "invoice invoices rechnung* facture factures factura facturas fatura faturas factuur facturen payment payments zahlung* paiement* pago pagos pagamento* betaling* uberweis* refund* erstattung* ruckerstattung remboursement* reembolso* rimborso terugbetaling* tax taxes steuer* impot impots imposto impostos belasting* overdue outstanding mahnung inkasso boleto pix multa debito lastschrift bill billing mandat boete|credit card|kreditkarte",
  mailbox:
    "mailbox postfach storage speicher* stockage almacenamiento armazenamento opslag* quota icloud webmail upgrade|mailbox is full|storage full|undelivered messages|pending messages|incoming messages|your email account|email storage",
  document:
    "document dokument dokumente voicemail fax docusign sharepoint onedrive dropbox scanned attached anhang attachment scan",
  click:
    "click clicking klick* cliqu* clic clica* haz klik klikk* tippen button schaltflache bouton boton botao knop knopf zugreifen acesse acceda accede acceder access anmelden registrieren register join|click here|hier klicken|cliquez ici|haga clic|clique aqui|klik hier|clicca qui|click below|link below|folgenden link|get started|learn more|find out more|read more|jetzt starten|sign up|shop now|buy now|order now|jetzt bestellen|jetzt sichern|apply now",
  impersonal:
    "valued|dear customer|dear user|dear friend|dear sir|dear member|dear client|dear subscriber|dear account|dear beneficiary|dear winner|dear valued|dear email|sehr geehrter kunde|sehr geehrte kundin|lieber kunde|liebe kundin|guten tag|cher client|chere cliente|estimado cliente|estimado usuario|prezado|caro cliente|cara cliente|gentile cliente|geachte klant|beste klant|geachte heer|geachte relatie|szanowny kliencie|hello my dear|good day|greetings",
  unsubscribe:
    "unsubscribe unsubscribed abmelden abbestell* austragen desabonner desinscri* desuscrib* descadastr* uitschrijven afmelden opt-out optout|opt out|opt-out|be removed|to remove|removed from|remove me|remove your|darse de baja|cancelar inscri|cancelar a inscri|no longer wish|remove yourself|email preferences|bulk email",
  adult:
    "sex sexy porn* xxx nude naked erotic* erotik* dating flirt* milf horny babes hookup schonheiten whores lesbian|hot women|meet women|live cams|ukrainian wom|ukrainian girl|oekraiense|ukrainische frau|ragazza ucraina|junge frauen|knappe vrouwen|find love|dating",
  pharma:
    "pharmac* pills pill apotheke medication* abnehm* erectile penis potenz* keto diet diat cholesterol diabet* cbd gummies hormone* testosteron* enlarge* enlargement ejacul* herbal slimming prostat* potency hgh antiaging wrinkle* arthr* gelenk* zahn* tinnitus slimming|lose weight|human growth|growth hormone|anti-aging|look younger|side effects",
  gambling: "casino* casinos gambling betting poker slots roulette spins bookie lotto",
  guarantee:
    "guarantee* garantie* garantia* garanti guaranteed satisfaction unglaublich* unbelievable miracle revolutionary breakthrough wunder* testimonial* proven|100%|money back|no risk",
  conversation:
    "wrote schrieb ecrit escribio escreveu schreef thanks danke merci gracias obrigado obrigada bedankt grazie maybe vielleicht peut-etre quizas talvez misschien actually probably eigentlich perhaps anyway guess yeah hmm sure btw afaik imho imo fwiw cheers|i think|i guess|i have been|ich denke|je pense|yo creo|eu acho|ik denk|does anyone|let me know|seems to",
  meeting:
    "meeting meetings agenda termin termine besprechung reunion reuniao vergadering afspraak lunch dinner calendar kalender schedule tomorrow morgen demain manana amanha morgens",
  technical:
    "bug patch kernel linux build compile branch commit server config install version release test tests driver code function library module debug error log file files directory script api git repository merge java python perl firmware device hardware",
} as const satisfies Record<string, string>;

/** A concept's name. */
export type Concept =
  | keyof typeof firstWords
  | keyof typeof moreWords
  | keyof typeof tellingPhrases
  | keyof typeof everydayWords
  | keyof typeof trades
  | keyof typeof dailyLife;

const lists: readonly Readonly<Partial<Record<Concept, string>>>[] = [
  firstWords,
  moreWords,
  tellingPhrases,
  everydayWords,
  trades,
  dailyLife,
];

/** The words of each concept: words and stems by blanks, phrases by `|`. */
export const concepts: ReadonlyMap<Concept, string> = new Map(
  lists.flatMap((list) => typedKeys(list)).map((concept) => [concept, wordsOf(concept)] as const),
);

function typedKeys<T extends object>(table: T): (keyof T)[] {
  return Object.keys(table).filter((key): key is keyof T & string => key in table);
}

/** Each list is single words, then phrases: the lists are joined in that order. */
function wordsOf(concept: Concept): string {
  const parts = lists.flatMap(({ [concept]: words }) => (words === undefined ? [] : [words.split("|")]));
  return [parts.map(([single = ""]) => single).join(" "), ...parts.flatMap((part) => part.slice(1))].join("|");
}

/** Concepts that push somebody to act; several of them in one mail say more than each alone. */
export const persuasion: readonly Concept[] = [
  "credential",
  "verify",
  "suspended",
  "security",
  "urgency",
  "prize",
  "survey",
  "gift",
  "free",
  "discount",
  "offer",
  "fortune",
  "crypto",
  "earning",
  "loan",
  "parcel",
  "payment",
  "mailbox",
  "click",
  "impersonal",
  "unsubscribe",
  "adult",
  "pharma",
  "gambling",
  "guarantee",
  "drug",
  "stock",
  "software",
  "luxury",
  "education",
  "traffic",
  "invoicing",
];

/** Names that forgers borrow: when the display name or subject has one and the sender's domain has not, doubt is due. */
export const brands =
  "mercadolivre americanexpress bankofamerica statefarm wetransfer nubank natwest usaa lloyds barclaycard trustwallet coinspot kraken kucoin blockchain uniswap ripple tiktok snapchat pinterest alibaba aliexpress temu shein nordvpn kaspersky webmail roundcube zimbra cpanel intuit quickbooks turbotax swisscom bluewin orange laposte chronopost colissimo mondialrelay ameli creditagricole societegenerale bnpparibas intesa unicredit posteitaliane inps santander netto fressnapf parkside kaufland obi hornbach bauhaus congstar vodafone ionos strato sparda comdirect targobank paypal amazon netflix microsoft outlook office365 apple icloud google facebook instagram whatsapp linkedin dhl fedex ups usps dpd hermes gls postnl bpost correios royalmail evri metamask binance coinbase ledger trezor opensea ethereum spotify disney ebay walmart costco lowes homedepot tmobile verizon comcast xfinity att mcafee norton docusign dropbox adobe sparkasse volksbank commerzbank postbank ing rabobank abnamro santander bbva caixa itau bradesco nubank serasa sedex chase wellsfargo citibank hsbc barclays americanexpress amex visa mastercard klarna telekom vodafone lidl aldi edeka rewe mediamarkt ikea decathlon bol kruidvat gamma starbucks omaha oralb samsung iphone macbook stanley dyson yeti shell carrefour leroymerlin auchan bancolombia mercadolibre mercadopago steam roblox godaddy wordpress zoom fbi irs hmrc detran receita".split(
    " ",
  );

/** What a sender calls itself when it is an office and not a person. */
export const roleWords =
  "support team service services kundenservice kundendienst customer care info news newsletter noreply no-reply notification notifications alert alerts security billing admin administrator help helpdesk department dept official oficial account accounts member members rewards reward winner offer offers deals promo marketing sales shop store club bank center centre office webmaster abuse postmaster aviso equipe equipo atendimento cliente clientes klantenservice update delivery".split(
    " ",
  );
