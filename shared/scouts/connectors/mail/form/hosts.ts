import { isIP } from "node:net";

/** Mailboxes anybody can have for nothing. */
export const freeMailDomains =
  "gmail.com googlemail.com yahoo.com yahoo.co.uk ymail.com hotmail.com outlook.com live.com msn.com aol.com gmx.de gmx.net gmx.com web.de mail.ru yandex.ru yandex.com proton.me protonmail.com icloud.com qq.com 163.com 126.com sina.com excite.com lycos.com juno.com netscape.net bigfoot.com usa.net earthlink.net att.net comcast.net verizon.net yahoo.fr yahoo.de yahoo.es yahoo.it yahoo.com.br yahoo.co.jp yahoo.com.cn yahoo.co.in hotmail.fr hotmail.de hotmail.it hotmail.es hotmail.co.uk outlook.de outlook.fr outlook.es outlook.it live.nl live.fr me.com mac.com t-online.de freenet.de arcor.de orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tin.it alice.it wp.pl o2.pl interia.pl onet.pl seznam.cz uol.com.br bol.com.br terra.com.br rambler.ru bk.ru list.ru inbox.ru sohu.com tom.com 21cn.com 139.com foxmail.com yeah.net naver.com daum.net hanmail.net nate.com docomo.ne.jp ezweb.ne.jp ziggo.nl kpnmail.nl fastmail.com zoho.com mail.com aim.com".split(
    " ",
  );

/** Endings under which a country registers names, which are no depth of their own: `co.uk`, `edu.cn`. */
export const sharedEnding = /\.(?:co|com|net|org|edu|ac|gov|gob|gouv|or|ne|go)\.[a-z]{2}$/;

/** Endings that cost next to nothing and that hardly any firm or person has: of a sender's domain and of a host a link leads to. */
export const rareEnding =
  /\.(?:xyz|top|click|shop|site|online|icu|buzz|live|club|info|biz|tk|ml|cf|ga|pw|cc|vip|fun|space|website|store|monster|sbs|cfd|lat|bond|life|rest|quest|beauty|hair|skin|makeup|homes|digital|world|today|agency|solutions|win|bid|loan|men|stream|download|racing|party|review|trade|date|faith|science|work)$/;

/** Hosts under which anybody may put up a page within minutes, and those that stand for another address. */
const borrowedHost = hostsUnder(
  "weebly.com wixsite.com wordpress.com godaddysites.com webflow.io square.site webnode.page yolasite.com strikingly.com",
  "web.app firebaseapp.com appspot.com github.io gitlab.io r2.dev pages.dev workers.dev vercel.app netlify.app onrender.com",
  "herokuapp.com glitch.me repl.co 000webhostapp.com azurewebsites.net core.windows.net cloudfront.net amazonaws.com",
  "storage.googleapis.com sites.google.com docs.google.com forms.gle translate.goog ipfs.io dweb.link duckdns.org ngrok.io",
  "jotform.com typeform.com geocities.com tripod.com angelfire.com",
  "bit.ly tinyurl.com t.co goo.gl ow.ly is.gd cutt.ly rebrand.ly tiny.cc rb.gy t.ly shorturl.at s.id linktr.ee u.to v.gd",
);

/** Where firms that send for others count clicks: no mail says where such a link leads. */
const clickCounter = hostsUnder(
  "awstrack.me sendgrid.net mailgun.org mailgun.com mandrillapp.com list-manage.com mailchimp.com sparkpostmail.com pstmrk.it",
  "mjt.lu brevo.com sendibm1.com sendibt2.com hubspotlinks.com hubspotemail.net klclick.com klclick1.com customeriomail.com",
  "exacttarget.com rs6.net cmail19.com cmail20.com createsend.com aweber.com getresponse.com infusionsoft.com",
  "intercom-mail.com zendesk.com mimecast.com mimecastprotect.com",
);

function hostsUnder(...lines: readonly string[]): RegExp {
  const sites = lines.flatMap((line) => line.split(" "));
  return new RegExp(`(?:^|\\.)(?:${sites.map((site) => site.replaceAll(".", "\\.")).join("|")})$`);
}

/** The part of a host name that somebody has registered: `shop.example.co.uk` is at `example.co.uk`. */
export function siteOf(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, "");
  return name
    .split(".")
    .slice(sharedEnding.test(name) ? -3 : -2)
    .join(".");
}

/**
 * Whether anybody may put a page there, or the host stands for another address: it says nothing of the page's owner.
 *
 * @param host in lower case
 */
export const isBorrowed = (host: string): boolean => borrowedHost.test(host);

/** Whether the host counts clicks for others. @param host in lower case */
export const countsClicks = (host: string): boolean => clickCounter.test(host);

/** Whether a host is an address instead of a name: four decimal numbers, or IPv6 in brackets (RFC 3986, section 3.2.2). */
export const isNumber = (host: string): boolean => /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/.test(host);

/** Whether a number is an address within somebody's own network (RFC 1918, RFC 4193), which no stranger's mail leads to. */
export const isOwnNetwork = (number: string): boolean =>
  isIP(number) !== 0 &&
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|::1$|fe80:|f[cd][\da-f]{2}:)/i.test(number);
