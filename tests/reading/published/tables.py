"""One table in every format that is read, and what it says."""

from __future__ import annotations

MARKDOWN = """
Returns, mean ± std.

| Task | PPO | **Ours** | A2C |
| --- | ---: | :---: | --- |
| Hopper-v4 | 2,410.5 ± 90.0 | **2,950.0 ± 110.0** | — |
| Pong | -20.5 ± 0.5 | **18.2** ± 1.1 | 3.0 ± 2.0 |
"""
LATEX = r"""
\begin{table}[t]
\centering
\caption{Returns, mean $\pm$ std.}
\begin{tabular}{l|rcr}
\toprule
Task & PPO & \textbf{Ours} & A2C \\[2pt] % & a comment \\
\midrule
Hopper-v4 & $2{,}410.5 \pm 90.0$ & \textbf{2,950.0} {\scriptsize $\pm$ 110.0} & -- \\% A2C 5 & 5
Pong & $-20.5_{\pm 0.5}$ & $\mathbf{18.2} \pm 1.1$ & \cellcolor{gray!20}3.0\,$\pm$\,2.0$^{\dagger}$ \\
\bottomrule
\end{tabular}
\end{table}
"""
TURNED = r"""
\begin{tabular}{lcc}
\hline
\multirow{2}{*}{Method} & \multicolumn{2}{c}{Environment} \\ \cline{2-3}
 & Hopper-v4 & Pong \\ \hline
PPO & 2410.5 (90.0) & -20.5 (0.5) \\
{\bf Ours} & {\bf 2950.0 (110.0)} & {\bf 18.2} (1.1) \\
A2C & N/A & 3.0 (2.0) \\ \hline
\end{tabular}
"""
CSV = """task,PPO,Ours,A2C
Hopper-v4,2410.5 ± 90.0,**2950.0 ± 110.0**,
Pong,-20.5 +/- 0.5,**18.2** +- 1.1,3.0 ± 2.0
"""
SEMICOLONS = """task;PPO;Ours;A2C
Hopper-v4;2.410,5 ± 90,0;**2.950,0 ± 110,0**;
Pong;-20,5 ± 0,5;**18,2** ± 1,1;3,0 ± 2,0
"""
TIDY = """algorithm,task,mean,std
PPO,Hopper-v4,2410.5,90
PPO,Pong,-20.5,0.5
Ours,Hopper-v4,**2950**,110
Ours,Pong,**18.2**,1.1
A2C,Hopper-v4,,
A2C,Pong,3,2
"""
PAIRED = r"""
\begin{tabular}{l|cc|cc|cc}
\toprule
 & \multicolumn{2}{c|}{PPO} & \multicolumn{2}{c|}{Ours} & \multicolumn{2}{c}{A2C} \\ \cmidrule(lr){2-3} \cmidrule(lr){4-5}
Env & mean & std & mean & std & mean & std \\
\midrule
Hopper-v4 & 2410.5 & 90.0 & \textbf{2950.0} & 110.0 & & \\
Pong & -20.5 & 0.5 & \textbf{18.2} & 1.1 & 3.0 & 2.0 \\
\bottomrule
\end{tabular}
"""
SPLIT = r"""
\begin{table}
\resizebox{\textwidth}{!}{%
\begin{tabular}{cl@{\hspace{5pt}}r@{\hspace{-0.1pt}}lr@{\hspace{-0.1pt}}l r@{}l}
\toprule
Environment & \multicolumn{2}{c}{PPO} & \multicolumn{2}{c}{Ours} & \multicolumn{2}{c}{A2C} \\
\midrule
Hopper-v4 & 2410.5 & $\pm$ 90.0 & \textbf{2950.0} & $\pm$ 110.0 & & \\
Pong & -20.5 & $\pm$ 0.5 & \textbf{18.2} & $\pm$ 1.1 & 3.0 & $\pm$ 2.0 \\
\bottomrule
\end{tabular}}
\end{table}
"""
ZOO = """
|algo|env_id|mean_reward|std_reward|
|----|------|----------:|---------:|
|PPO |Hopper-v4|2410.5|90.0|
|PPO |Pong|-20.5|0.5|
|Ours|Hopper-v4|**2950.0**|110.0|
|Ours|Pong|**18.2**|1.1|
|A2C |Pong|3.0|2.0|
"""
PANDAS = """,,score,score
,,mean,std
algorithm,env,,
PPO,Hopper-v4,2410.5,90.0
PPO,Pong,-20.5,0.5
Ours,Hopper-v4,**2950.0**,110.0
Ours,Pong,**18.2**,1.1
A2C,Pong,3.0,2.0
"""
UNSTACKED = """,PPO,PPO,Ours,Ours,A2C,A2C
,mean,std,mean,std,mean,std
env,,,,,,
Hopper-v4,2410.5,90.0,**2950.0**,110.0,,
Pong,-20.5,0.5,**18.2**,1.1,3.0,2.0
"""
TABLES = {
    "markdown": MARKDOWN,
    "latex": LATEX,
    "turned latex": TURNED,
    "csv": CSV,
    "semicolons": SEMICOLONS,
    "tidy": TIDY,
    "paired": PAIRED,
    "split": SPLIT,
    "zoo": ZOO,
    "pandas": PANDAS,
    "unstacked pandas": UNSTACKED,
    "tabs": CSV.replace(",", "\t"),
}
SAID = {
    ("PPO", "Hopper-v4"): (2410.5, 90.0, False),
    ("Ours", "Hopper-v4"): (2950.0, 110.0, True),
    ("PPO", "Pong"): (-20.5, 0.5, False),
    ("Ours", "Pong"): (18.2, 1.1, True),
    ("A2C", "Pong"): (3.0, 2.0, False),
}
"""(algorithm, task): mean, ±, bold."""
